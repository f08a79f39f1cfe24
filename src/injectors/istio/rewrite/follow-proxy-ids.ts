import { isJsonArray, type Json, type JsonObject } from '../../../sdk/index.ts';
import { INIT, PROXY, VALIDATION } from '../names.ts';
import { asObject, containersOf, mapContainers, named } from '../pod-json.ts';

/**
 * If the user sets the ids of the proxy, the container that redirects traffic to it needs the same ids. Without such a
 * container nothing depends on them.
 */
export function followProxyIds(
  pod: JsonObject,
  userProxy: JsonObject | undefined,
  isTproxy: boolean,
): JsonObject {
  const { runAsUser, runAsGroup } = asObject(userProxy?.securityContext);
  if (typeof runAsUser !== 'number' && typeof runAsGroup !== 'number') return pod;
  const initContainers = containersOf(pod, 'initContainers');
  const redirects = named(initContainers, INIT) ?? named(initContainers, VALIDATION);
  if (redirects === undefined) return pod;
  const ids = {
    ...(typeof runAsUser === 'number' && { runAsUser }),
    ...(typeof runAsGroup === 'number' && { runAsGroup }),
  };
  return mapContainers(pod, (container) => {
    // Transparent proxying needs root.
    const isRoot = isTproxy && typeof runAsUser === 'number';
    if (container.name === PROXY) return isRoot ? withIds(container, { runAsUser: 0 }) : container;
    if (container !== redirects) return container;
    const next = container.name === VALIDATION && !isTproxy ? withIds(container, ids) : container;
    return typeof runAsUser === 'number' && runAsUser !== 0
      ? withUserArgument(next, String(runAsUser))
      : next;
  });
}

function withIds(container: JsonObject, ids: JsonObject): JsonObject {
  const context = asObject(container.securityContext);
  const isSame = Object.keys(ids).every((key) => context[key] === ids[key]);
  return isSame ? container : { ...container, securityContext: { ...context, ...ids } };
}

/** Sets the argument after `-u`. */
function withUserArgument(container: JsonObject, user: string): JsonObject {
  const args: readonly Json[] = isJsonArray(container.args) ? container.args : [];
  const index = args.indexOf('-u') + 1;
  if (index === 0 || index >= args.length || args[index] === user) return container;
  return { ...container, args: args.with(index, user) };
}
