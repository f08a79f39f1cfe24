import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { containersOf, envOf, mapContainers, named } from './pod-json.ts';

/**
 * What an earlier injection told the proxy about the Pod stays where it says the same. By now the API server has filled
 * in `protocol: TCP`, and the Pod has annotations that it did not have then.
 */
export function keepSaidBefore(pod: JsonObject, original: JsonObject): JsonObject {
  return mapContainers(pod, (container, field) => {
    const before = named(containersOf(original, field), String(container.name));
    if (before === undefined || before === container || before.env === container.env) return container;
    const old = new Map(envOf(before).map((entry) => [entry.name, entry]));
    const env = envOf(container);
    const next = env.map((entry) => {
      const found = old.get(entry.name ?? null);
      return found !== undefined && found !== entry && saysSame(found.value, entry.value) ? found : entry;
    });
    return next.every((entry, at) => entry === env[at]) ? container : { ...container, env: next };
  });
}

function saysSame(found: Json | undefined, wanted: Json | undefined): boolean {
  if (typeof found !== 'string' || typeof wanted !== 'string' || found === wanted) return false;
  const [one, other] = [parsed(found), parsed(wanted)];
  if (isJsonArray(one) && isJsonArray(other)) return portsText(one) === portsText(other);
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  return Object.keys(one).every((key) => JSON.stringify(one[key]) === JSON.stringify(other[key]));
}

function parsed(text: string): Json | undefined {
  const first = text.trimStart()[0];
  if (first !== '[' && first !== '{') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Which ports there are, in any order, with the default written out. */
function portsText(list: readonly Json[]): string {
  const full = list.map((item) =>
    isJsonObject(item) ? { ...item, protocol: item.protocol ?? 'TCP' } : item,
  );
  return full
    .map((item) => JSON.stringify(isJsonObject(item) ? Object.entries(item).sort() : item))
    .sort()
    .join();
}
