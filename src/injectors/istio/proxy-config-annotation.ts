import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { proxyConfigType } from './mesh-types.ts';
import { protoJson } from './proto.ts';
import { protoProblems } from './proto-problems.ts';
import { limitProblems } from './proxy-config-limits.ts';
import { parseYaml } from './rendered-yaml.ts';

export interface ReadProxyConfig {
  /** A layer of the proxy's configuration. Empty where nothing can be read. */
  readonly config: JsonObject;
  /** All that is wrong with it, each with the name of its field. */
  readonly problems: readonly string[];
}

const NOTHING: ReadProxyConfig = { config: {}, problems: [] };
/** By text: all Pods of a workload have the same. When there are more, all are forgotten. */
const known = new Map<string, ReadProxyConfig>();
const MOST_KNOWN = 100;

/** Reads annotation `proxy.istio.io/config`. */
export function readProxyConfig(text: string | undefined): ReadProxyConfig {
  if (text === undefined) return NOTHING;
  const found = known.get(text) ?? read(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(text, found);
  return found;
}

function read(text: string): ReadProxyConfig {
  try {
    const value = parseYaml(text);
    if (value === null || value === undefined) return NOTHING;
    if (!isJsonObject(value)) return { config: {}, problems: ['not a map'] };
    const config = protoJson(value, proxyConfigType);
    return { config, problems: [...protoProblems(config, proxyConfigType), ...limitProblems(config)] };
  } catch (cause) {
    return { config: {}, problems: [`not YAML: ${(cause as Error).message.split('\n')[0]}`] };
  }
}
