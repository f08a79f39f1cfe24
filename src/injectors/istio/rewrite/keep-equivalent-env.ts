import { isJsonArray, isJsonObject, type Json, type JsonObject, tryParseJson } from '../../../sdk/index.ts';
import { nextPlace } from '../merge/next-place.ts';
import { byName, containersOf, envOf, isSameList, mapContainers } from '../pod-json.ts';

/**
 * Keeps environment variables of an earlier injection that describe the Pod in an equivalent way. The API server has added
 * `protocol: TCP` since, and the injection itself annotations.
 */
export function keepEquivalentEnv(pod: JsonObject, original: JsonObject): JsonObject {
  if (pod === original) return pod;
  const originals = {
    containers: byName(containersOf(original, 'containers')),
    initContainers: byName(containersOf(original, 'initContainers')),
  };
  return mapContainers(pod, (container, field) => {
    const before = originals[field].get(container.name);
    if (before === undefined || before === container || before.env === container.env) return container;
    const found = envOf(before);
    // Of several entries with one name, each has one before it: comparing may have to parse both.
    const placeOf = nextPlace(found, ({ name }) => name);
    let isOrdered = true;
    let last = 0;
    const placed = envOf(container).map((entry) => {
      const place = placeOf(entry.name) ?? found.length;
      isOrdered &&= place >= last;
      last = place;
      const old = found[place];
      return { place, entry: old !== undefined && isEquivalent(old, entry) ? old : entry };
    });
    // New variables come last, so that they can refer to the others.
    if (!isOrdered) placed.sort((one, other) => one.place - other.place);
    const env = placed.map(({ entry }) => entry);
    return { ...container, env: isSameList(env, found) ? (before.env as Json) : env };
  });
}

function isEquivalent({ name, value: old }: JsonObject, { value }: JsonObject): boolean {
  if (typeof old !== 'string' || typeof value !== 'string') return false;
  if (old === value) return true;
  // Labels and annotations, which the injection has changed. They may be long.
  if (String(name).startsWith('ISTIO_METAJSON_')) return value.startsWith('{') && isJsonObject(parsed(old));
  const ports = parsed(value);
  if (!isJsonArray(ports)) return false;
  const oldPorts = parsed(old);
  return isJsonArray(oldPorts) && portsText(oldPorts) === portsText(ports);
}

function parsed(text: string): Json | undefined {
  return /^\s*[[{]/.test(text) ? tryParseJson(text) : undefined;
}

/** Equal for the same ports in any order, with or without the default protocol. */
function portsText(ports: readonly Json[]): string {
  return ports
    .map((port) =>
      JSON.stringify(
        isJsonObject(port) ? Object.entries({ ...port, protocol: port.protocol ?? 'TCP' }).sort() : port,
      ),
    )
    .sort()
    .join();
}
