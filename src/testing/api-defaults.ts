import { isImplied } from '../graft/covers.ts';
import { fieldShape, itemShape, type Shape } from '../graft/shape.ts';
import { shapeOf } from '../graft/shape-of.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { podDefaults } from '../kube/pod-defaults.ts';
import { canonicalQuantity, canonicalResource } from '../kube/quantity.ts';
import { type TypedValue, typedKind } from '../kube/typed/schema.ts';

/**
 * A Pod as the API server passes it on after a webhook: with defaults, canonical quantities, no empty values, and the
 * ServiceAccount token mounted into new containers. A model of what injectors see on reinvocation; it validates nothing.
 */
export function withApiDefaults(pod: JsonObject): JsonObject {
  const typed = roundTrip(pod, shapeOf('v1', 'Pod'), typedKind('v1', 'Pod')) as JsonObject;
  const spec = podDefaults(record(typed.spec));
  const token = tokenVolume(spec);
  const mounted = (list: Json | undefined) =>
    isJsonArray(list) ? list.map((container) => withTokenMount(record(container), token)) : [];
  return {
    ...typed,
    spec: {
      ...spec,
      ...(isJsonArray(spec.containers) && { containers: mounted(spec.containers) }),
      ...(isJsonArray(spec.initContainers) && { initContainers: mounted(spec.initContainers) }),
    },
  };
}

/** Decodes into Go's types and encodes again. */
function roundTrip(value: Json, shape: Shape, type: TypedValue | undefined): Json {
  if (shape.type === 'quantity') return canonicalQuantity(value as string | number);
  if (isJsonArray(value)) {
    const item = type?.type === 'list' ? type.item : undefined;
    return value.map((each) => roundTrip(each, itemShape(shape), item));
  }
  if (!isJsonObject(value)) return value;
  if (shape.type === 'map' && shape.values.type === 'quantity') return resourceList(value);
  const fields = type?.type === 'struct' ? type.fields() : undefined;
  const entries = Object.entries(value)
    .map(([key, child]): [string, Json] => [
      key,
      roundTrip(child, fieldShape(shape, key), fields?.get(key)?.type),
    ])
    .filter(([key, child]) => {
      const isWritten = child === '' && fields?.get(key)?.written;
      return isWritten || !isImplied(child, fieldShape(shape, key));
    });
  return Object.fromEntries(entries);
}

function resourceList(amounts: JsonObject): JsonObject {
  const entries = Object.entries(amounts).filter(([, amount]) => amount !== null);
  return Object.fromEntries(
    entries.map(([name, amount]) => [name, canonicalResource(amount as string | number)]),
  );
}

const TOKEN_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';

function tokenVolume(spec: JsonObject): string | undefined {
  const names = (isJsonArray(spec.volumes) ? spec.volumes : []).map((volume) => record(volume).name);
  return names.find(
    (name): name is string => typeof name === 'string' && name.startsWith('kube-api-access-'),
  );
}

function withTokenMount(container: JsonObject, volume: string | undefined): JsonObject {
  const mounts = isJsonArray(container.volumeMounts) ? container.volumeMounts : [];
  if (volume === undefined || mounts.some((mount) => record(mount).mountPath === TOKEN_PATH))
    return container;
  return { ...container, volumeMounts: [...mounts, { name: volume, readOnly: true, mountPath: TOKEN_PATH }] };
}

function record(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
