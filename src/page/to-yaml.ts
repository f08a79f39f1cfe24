import { stringify } from 'yaml';
import type { Json } from '../json/json.ts';

/** YAML as people write it; `compat` quotes `yes`, `on` and the like, which are booleans to kubectl. */
export function toYaml(value: Json): string {
  return stringify(value, { lineWidth: 0, compat: 'yaml-1.1', aliasDuplicateObjects: false });
}
