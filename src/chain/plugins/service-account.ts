import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { Attributes } from '../../policy/attributes.ts';
import { type ClusterObjects, metadataOf } from '../../policy/cluster-objects.ts';
import { forbidden } from '../../policy/status.ts';
import type { Status } from '../outcome.ts';
import { isPodCreation, type Plugin } from './plugin.ts';

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
const TOKEN_VOLUME = 'kube-api-access-';

/** Sets a Pod's ServiceAccount, and mounts its token into every container. */
export const serviceAccount: Plugin = {
  name: 'ServiceAccount',
  handles: isPodCreation,
  mutate(request, { cluster, newSuffix }) {
    if (isMirror(request.object)) return request.object;
    const spec = isJsonObject(request.object.spec) ? request.object.spec : {};
    const name = text(spec.serviceAccountName) || 'default';
    const found = find(cluster, request, name);
    if ('status' in found) return found;
    const { account } = found;
    const named =
      text(spec.serviceAccountName) === name
        ? spec
        : { ...spec, serviceAccountName: name, serviceAccount: name };
    const mounts = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
    const mounted = mounts === true ? withToken(named, newSuffix) : named;
    const next = withPullSecrets(mounted, account);
    return next === spec ? request.object : { ...request.object, spec: next };
  },
  validate(request, { cluster }) {
    const { object } = request;
    if (object === null || isMirror(object)) return undefined;
    const name = text(isJsonObject(object.spec) ? object.spec.serviceAccountName : undefined);
    if (name === '') return undefined;
    const found = find(cluster, request, name);
    return 'status' in found ? found.status : undefined;
  },
};

function isMirror(object: JsonObject): boolean {
  const { annotations } = metadataOf(object);
  return isJsonObject(annotations) && annotations['kubernetes.io/config.mirror'] !== undefined;
}

/** Every namespace has an account called `default`, so it need not be passed. */
function find(
  cluster: ClusterObjects,
  request: Attributes,
  name: string,
): { readonly account: JsonObject } | { readonly status: Status } {
  const account = cluster.get('', 'ServiceAccount', request.namespace, name);
  if (account !== undefined) return { account };
  if (name === 'default') return { account: {} };
  const message = `error looking up service account ${request.namespace}/${name}: serviceaccount "${name}" not found`;
  return { status: forbidden(request, message) };
}

function withToken(spec: JsonObject, newSuffix: () => string): JsonObject {
  const volumes = items(spec.volumes);
  const existing = volumes.map(({ name }) => text(name)).find((name) => name.startsWith(TOKEN_VOLUME));
  const volume = existing ?? `${TOKEN_VOLUME}${newSuffix()}`;
  let isMounted = false;
  let next = spec;
  for (const list of ['initContainers', 'containers']) {
    const containers = items(spec[list]);
    const changed = containers.map((container) => {
      if (items(container.volumeMounts).some(({ mountPath }) => mountPath === TOKEN_PATH)) return container;
      isMounted = true;
      const mount = { name: volume, readOnly: true, mountPath: TOKEN_PATH };
      return { ...container, volumeMounts: [...items(container.volumeMounts), mount] };
    });
    if (changed.some((container, index) => container !== containers[index]))
      next = { ...next, [list]: changed };
  }
  if (!isMounted || existing !== undefined) return next;
  return { ...next, volumes: [...volumes, tokenVolume(volume)] };
}

function tokenVolume(name: string): JsonObject {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 0o644,
    },
  };
}

function withPullSecrets(spec: JsonObject, { imagePullSecrets }: JsonObject): JsonObject {
  const isUnset = items(spec.imagePullSecrets).length === 0;
  return isUnset && isJsonArray(imagePullSecrets) && imagePullSecrets.length > 0
    ? { ...spec, imagePullSecrets }
    : spec;
}

function items(list: Json | undefined): readonly JsonObject[] {
  return (isJsonArray(list) ? list : []).filter(isJsonObject);
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}
