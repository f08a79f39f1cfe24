import type { Json } from '../json/json.ts';
import { parseSource } from './source.ts';

/** What one YAML document says, read as `spliceYaml` reads it; `line` is where it begins in its file, for errors. */
export function readYaml(text: string, line = 1): Json {
  return parseSource(text, line).value;
}
