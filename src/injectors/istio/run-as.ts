import { isJsonArray, type Json, type JsonObject } from '../../json/json.ts';
import { INIT, PROXY, VALIDATION } from './names.ts';
import { mapContainers, object } from './pod-json.ts';

/** Where the user's proxy runs under ids of its own, what redirects traffic around it has to know them. */
export function followUserIds(pod: JsonObject, proxy: JsonObject | undefined, tproxy: boolean): JsonObject {
  const { runAsUser, runAsGroup } = object(proxy?.securityContext);
  if (typeof runAsUser !== 'number' && typeof runAsGroup !== 'number') return pod;
  return mapContainers(pod, (container) => {
    // Transparent proxying needs root.
    if (container.name === PROXY) return tproxy ? withIds(container, { runAsUser: 0 }) : container;
    if (container.name !== INIT && container.name !== VALIDATION) return container;
    const ids = {
      ...(typeof runAsUser === 'number' && { runAsUser }),
      ...(typeof runAsGroup === 'number' && { runAsGroup }),
    };
    const checked = container.name === VALIDATION && !tproxy ? withIds(container, ids) : container;
    return typeof runAsUser === 'number' && runAsUser !== 0
      ? withUserArgument(checked, String(runAsUser))
      : checked;
  });
}

function withIds(container: JsonObject, ids: JsonObject): JsonObject {
  const context = object(container.securityContext);
  const same = Object.keys(ids).every((key) => context[key] === ids[key]);
  return same ? container : { ...container, securityContext: { ...context, ...ids } };
}

/** The value after `-u`. */
function withUserArgument(container: JsonObject, user: string): JsonObject {
  const args: readonly Json[] = isJsonArray(container.args) ? container.args : [];
  const at = args.indexOf('-u') + 1;
  if (at === 0 || at >= args.length || args[at] === user) return container;
  return { ...container, args: args.with(at, user) };
}
