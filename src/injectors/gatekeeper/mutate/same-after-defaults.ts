import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
  member,
  sameJson,
  withDefaults,
  withMember,
} from '../../../sdk/index.ts';

/**
 * Whether both are equal after defaulting. An Assign replaces whole values, and so removes what the API server has filled in
 * since: without this check it would do so whenever the webhook is called again.
 */
export function sameAfterDefaults(before: JsonObject, after: JsonObject): boolean {
  if (!isPart(after, before)) return false;
  return sameJson(before, after) || sameJson(complete(before), complete(after));
}

/** A quick check: nothing is new, so whatever is missing may come from the API server. */
function isPart(part: Json, whole: Json | undefined): boolean {
  if (part === whole) return true;
  if (isJsonArray(part)) {
    if (!isJsonArray(whole) || part.length > whole.length) return false;
    return part.every((item, index) => isPart(item, whole[index]));
  }
  // YAML can express `.nan`.
  if (!isJsonObject(part) || !isJsonObject(whole)) return Number.isNaN(part) && Number.isNaN(whole);
  for (const key in part) if (!isPart(part[key] as Json, member(whole, key))) return false;
  return true;
}

function complete(object: JsonObject): JsonObject {
  const json = withDefaults(object as unknown as KubeObject) as unknown as JsonObject;
  return json.kind === 'Pod' && isJsonObject(json.spec)
    ? withMember(json, 'spec', withoutTokens(json.spec))
    : json;
}

/** Where the ServiceAccount plugin mounts its token, also into containers that webhooks have added. */
const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

function withoutTokens(spec: JsonObject): JsonObject {
  let next = spec;
  for (const field of ['containers', 'initContainers']) {
    const containers = member(spec, field);
    if (isJsonArray(containers)) next = withMember(next, field, containers.map(withoutToken));
  }
  return next;
}

function withoutToken(container: Json): Json {
  if (!isJsonObject(container)) return container;
  const { volumeMounts = [], ...rest } = container;
  if (!isJsonArray(volumeMounts)) return container;
  const mounts = volumeMounts.filter((mount) => !isJsonObject(mount) || mount.mountPath !== TOKEN_PATH);
  return { ...rest, volumeMounts: mounts };
}
