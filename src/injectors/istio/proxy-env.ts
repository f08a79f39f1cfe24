import type { JsonObject } from '../../json/json.ts';
import { PROXY } from './names.ts';
import { containersOf, envOf, mapContainers, named } from './pod-json.ts';

/** Appends env to the proxy. Where it is set already, `again` says to change it in place: its place was found before. */
export function withProxyEnv(
  pod: JsonObject,
  entries: Readonly<Record<string, string>>,
  { again }: { readonly again: boolean },
): JsonObject {
  const names = Object.keys(entries).sort();
  if (names.length === 0) return pod;
  return mapContainers(pod, (container) => {
    if (container.name !== PROXY) return container;
    const env = envOf(container);
    const wanted = (name: string): JsonObject => ({ name, value: entries[name] ?? '' });
    if (again) {
      const next = env.map((entry) => (saysSame(entry, entries) ? entry : wanted(String(entry.name))));
      const missing = names.filter((name) => !env.some((entry) => entry.name === name));
      const same = missing.length === 0 && next.every((entry, at) => entry === env[at]);
      return same ? container : { ...container, env: [...next, ...missing.map(wanted)] };
    }
    const rest = env.filter(({ name }) => !names.includes(String(name)));
    return { ...container, env: [...rest, ...names.map(wanted)] };
  });
}

function saysSame(entry: JsonObject, entries: Readonly<Record<string, string>>): boolean {
  const name = String(entry.name);
  return !Object.hasOwn(entries, name) || (entry.value ?? '') === entries[name];
}

export function proxyOf(pod: JsonObject): JsonObject | undefined {
  return named(containersOf(pod, 'initContainers'), PROXY) ?? named(containersOf(pod, 'containers'), PROXY);
}
