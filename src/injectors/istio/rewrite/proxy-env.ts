import type { JsonObject } from '../../../sdk/index.ts';
import { PROXY } from '../names.ts';
import { containersOf, envOf, isSameList, mapContainers, named } from '../pod-json.ts';

/** Sets environment variables of the proxy: at the end, or at their present place if the Pod was injected before. */
export function withProxyEnv(
  pod: JsonObject,
  variables: Readonly<Record<string, string>>,
  { isReinjection }: { readonly isReinjection: boolean },
): JsonObject {
  const names = Object.keys(variables).sort();
  if (names.length === 0) return pod;
  const wanted = (name: string): JsonObject => ({ name, value: variables[name] ?? '' });
  return mapContainers(pod, (container) => {
    if (container.name !== PROXY) return container;
    const env = envOf(container);
    if (!isReinjection) {
      const next = env.filter(({ name }) => !Object.hasOwn(variables, String(name)));
      for (const name of names) next.push(wanted(name));
      return { ...container, env: next };
    }
    const updated = env.map((entry) => {
      const name = String(entry.name);
      const isSet = !Object.hasOwn(variables, name) || (entry.value ?? '') === variables[name];
      return isSet ? entry : wanted(name);
    });
    const present = new Set(env.map(({ name }) => name));
    const missing = names.filter((name) => !present.has(name));
    const next = [...updated, ...missing.map(wanted)];
    return isSameList(next, env) ? container : { ...container, env: next };
  });
}

export function proxyOf(pod: JsonObject): JsonObject | undefined {
  return named(containersOf(pod, 'containers'), PROXY) ?? named(containersOf(pod, 'initContainers'), PROXY);
}
