import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { sameJson } from '../json/same-json.ts';
import type { Attributes } from '../policy/attributes.ts';
import { metadataOf } from '../policy/cluster-objects.ts';
import { qosClass } from './qos-class.ts';

export interface Generated {
  readonly uid: string;
  readonly time: string;
  /** Of a generated name. */
  readonly newSuffix: () => string;
}

/** A new object as the mutating phase sees it: without what only the API server may set. */
export function beforeCreation(object: JsonObject): JsonObject {
  const {
    uid: _,
    creationTimestamp: __,
    deletionTimestamp: ___,
    selfLink: ____,
    deletionGracePeriodSeconds: _____,
    ...metadata
  } = metadataOf(object);
  return { ...object, metadata };
}

/** A new object as the validating phase sees it: named, identified, with its first status. */
export function prepareCreation(request: Attributes, generated: Generated): JsonObject {
  const object = request.object as JsonObject;
  const { name, generateName, ...rest } = metadataOf(object);
  const isNamed = typeof name === 'string' && name !== '';
  const prefix = typeof generateName === 'string' ? generateName : '';
  const ownName = isNamed || prefix === '' ? name : `${prefix.slice(0, 58)}${generated.newSuffix()}`;
  const prepared = {
    ...object,
    metadata: {
      ...(ownName !== undefined && { name: ownName }),
      ...(generateName !== undefined && { generateName }),
      ...rest,
      ...(isNamespaced(request) && { namespace: request.namespace }),
      uid: generated.uid,
      ...(hasGeneration(request) && { generation: 1 }),
      creationTimestamp: generated.time,
    },
  };
  if (request.resource.resource !== 'pods' || request.resource.group !== '' || request.subresource !== '')
    return prepared;
  return { ...prepared, status: { phase: 'Pending', qosClass: qosClass(object) } };
}

function isNamespaced({ namespace, resource }: Attributes): boolean {
  return namespace !== '' && resource.resource !== 'namespaces';
}

const WITH_GENERATION = new Set(['apps', 'batch', 'networking.k8s.io', 'policy']);

/** Kinds with a `generation`; all custom resources have one. */
function hasGeneration({ resource, subresource }: Attributes): boolean {
  if (subresource !== '') return false;
  if (resource.group === '')
    return resource.resource === 'pods' || resource.resource === 'replicationcontrollers';
  return (
    WITH_GENERATION.has(resource.group) ||
    (!/(^|\.)k8s\.io$/.test(resource.group) && resource.group.includes('.'))
  );
}

/** An updated object as the validating phase sees it: identity and status are those of the stored one. */
export function prepareUpdate(request: Attributes): JsonObject {
  const object = request.object as JsonObject;
  const old = request.oldObject ?? {};
  const kept = metadataOf(old);
  const metadata: Record<string, Json> = { ...metadataOf(object) };
  for (const field of ['uid', 'creationTimestamp', 'generation'] as const) {
    if (kept[field] !== undefined) metadata[field] = kept[field];
  }
  if (request.subresource !== '') return { ...object, metadata };
  if (typeof kept.generation === 'number' && !sameJson(object.spec ?? null, old.spec ?? null)) {
    metadata.generation = kept.generation + 1;
  }
  return { ...object, metadata, ...(old.status !== undefined && { status: old.status }) };
}

/** Repeated owners count once. */
export function withoutRepeatedOwners(object: JsonObject): JsonObject {
  const { ownerReferences, ...metadata } = metadataOf(object);
  if (!isJsonArray(ownerReferences)) return object;
  const unique = ownerReferences.filter(
    (owner, index) => ownerReferences.findIndex((other) => sameJson(other, owner)) === index,
  );
  if (unique.length === ownerReferences.length || !isJsonObject(object.metadata)) return object;
  return { ...object, metadata: { ...metadata, ownerReferences: unique } };
}
