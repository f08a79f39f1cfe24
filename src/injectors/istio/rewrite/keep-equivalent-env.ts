import { isJsonArray, isJsonObject, type Json, type JsonObject, tryParseJson } from '../../../sdk/index.ts';
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
    const places = new Map<Json | undefined, number>();
    for (let index = 0; index < found.length; index++) places.set(found[index]?.name, index);
    const placeOf = ({ name }: JsonObject) => places.get(name) ?? found.length;
    let isOrdered = true;
    let last = 0;
    const env = envOf(container).map((entry) => {
      const place = placeOf(entry);
      isOrdered &&= place >= last;
      last = place;
      const old = found[place];
      return old !== undefined && isEquivalent(old, entry) ? old : entry;
    });
    // New variables come last, so that they can refer to the others.
    if (!isOrdered) env.sort((one, other) => placeOf(one) - placeOf(other));
    return { ...container, env: isSameList(env, found) ? (before.env as Json) : env };
  });
}

function isEquivalent({ name, value: old }: JsonObject, { value }: JsonObject): boolean {
  if (typeof old !== 'string' || typeof value !== 'string') return false;
  if (old === value) return true;
  // Labels and annotations, which the injection has changed. They may be long.
  if (String(name).startsWith('ISTIO_METAJSON_')) return value.startsWith('{') && isJsonObject(parsed(old));
  const [one, other] = [parsed(old), parsed(value)];
  return isJsonArray(one) && isJsonArray(other) && portsText(one) === portsText(other);
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
