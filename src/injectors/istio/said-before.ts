import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { parsedJson } from '../../json/parsed-json.ts';
import { containersOf, envOf, mapContainers, named } from './pod-json.ts';

/**
 * What an earlier injection told the proxy about the Pod stays where it says the same. By now the API server has filled
 * in `protocol: TCP`, and the Pod has annotations that it did not have then.
 */
export function keepSaidBefore(pod: JsonObject, original: JsonObject): JsonObject {
  return mapContainers(pod, (container, field) => {
    const before = named(containersOf(original, field), String(container.name));
    if (before === undefined || before === container || before.env === container.env) return container;
    const found = envOf(before);
    const old = new Map(found.map((entry) => [entry.name, entry]));
    const said = envOf(container).map((entry) => {
      const word = old.get(entry.name ?? null);
      return word !== undefined && saysSame(word, entry) ? word : entry;
    });
    const env = inOrderOf(found, said);
    return env.every((entry, at) => entry === found[at]) && env.length === found.length
      ? { ...container, env: before.env as Json }
      : { ...container, env };
  });
}

/** Env that was there keeps its place; what is new comes after it, and can refer to it. */
function inOrderOf(found: readonly JsonObject[], env: readonly JsonObject[]): readonly JsonObject[] {
  const places = new Map(found.map(({ name }, at) => [name, at]));
  const place = ({ name }: JsonObject) => places.get(name) ?? found.length;
  return env.toSorted((one, other) => place(one) - place(other));
}

function saysSame({ name, value: found }: JsonObject, { value: wanted }: JsonObject): boolean {
  if (typeof found !== 'string' || typeof wanted !== 'string') return false;
  if (found === wanted) return true;
  const [one, other] = [parsed(found), parsed(wanted)];
  if (isJsonArray(one) && isJsonArray(other)) return portsText(one) === portsText(other);
  // Labels and annotations as they were: injection itself has changed them since.
  return isJsonObject(one) && isJsonObject(other) && String(name).startsWith('ISTIO_METAJSON_');
}

function parsed(text: string): Json | undefined {
  const first = text.trimStart()[0];
  return first === '[' || first === '{' ? parsedJson(text) : undefined;
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
