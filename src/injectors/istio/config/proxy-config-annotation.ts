import { cacheByTexts, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../sdk/index.ts';
import { parseYaml } from '../yaml/go-yaml.ts';
import { ANNOTATION_LIMITS } from '../yaml/yaml-limits.ts';
import { proxyConfigType } from './mesh-types.ts';
import { protoJson } from './proto-json.ts';
import { protoProblems } from './proto-problems.ts';
import { limitProblems } from './proxy-config-limits.ts';

export interface ReadProxyConfig {
  /** A layer of the proxy's settings; empty if the text is invalid. */
  readonly config: JsonObject;
  /** Each with the path of its field. */
  readonly problems: readonly string[];
}

/** Reads the annotation `proxy.istio.io/config`. */
export function readProxyConfig(text: string | undefined): ReadProxyConfig {
  return text === undefined ? EMPTY : cached([text], () => read(text));
}

/** Each Pod is read several times, and the Pods of a workload have the same text. */
const cached = cacheByTexts<ReadProxyConfig>({
  entries: 64,
  // Aliases make it longer than its text.
  isSmall: ({ config, problems }) => jsonLength([config, problems], MAX_LENGTH) <= MAX_LENGTH,
});
const MAX_LENGTH = 32_768;

function read(text: string): ReadProxyConfig {
  try {
    const value = parseYaml(text, ANNOTATION_LIMITS) ?? null;
    if (value === null) return EMPTY;
    if (!isJsonObject(value)) return { config: {}, problems: ['not a map'] };
    const config = protoJson(value, proxyConfigType);
    return { config, problems: [...protoProblems(config, proxyConfigType), ...limitProblems(config)] };
  } catch (cause) {
    return { config: {}, problems: [`not YAML: ${(cause as Error).message.split('\n')[0]}`] };
  }
}

const EMPTY: ReadProxyConfig = { config: {}, problems: [] };

/** About the number of characters of a value in JSON; stops counting beyond the bound. */
function jsonLength(value: Json | undefined, bound: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 4;
  let length = 0;
  if (isJsonArray(value)) {
    for (let index = 0; index < value.length && length <= bound; index++)
      length += 1 + jsonLength(value[index], bound);
    return length;
  }
  for (const key in value) {
    length += key.length + 4 + jsonLength(value[key], bound);
    if (length > bound) break;
  }
  return length;
}
