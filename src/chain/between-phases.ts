import type { JsonObject } from '../json/json.ts';
import type { Attributes } from '../policy/attributes.ts';
import { metadataOf } from '../policy/cluster-objects.ts';
import { badRequest, conflict, type Status } from '../policy/status.ts';
import { type ChainContext, withObject } from './context.ts';
import { prepareCreation, prepareUpdate, withoutRepeatedOwners } from './prepare-object.ts';
import { timestamp } from './timestamp.ts';
import { validateObject } from './validate-object.ts';

/** What the API server does between the phases: identity, first status, API validation. */
export function betweenPhases(request: Attributes, context: ChainContext): Attributes | Status {
  const { object, operation } = request;
  if (object === null || operation === 'CONNECT' || operation === 'DELETE') return request;
  const started = performance.now();
  const prepared = prepare(request, object, context);
  const status = 'code' in prepared ? prepared : validateObject(prepared, context);
  context.recorder.step({
    type: 'validation',
    milliseconds: performance.now() - started,
    result: status === undefined ? { outcome: 'unchanged' } : { outcome: 'rejected', status },
  });
  return status ?? prepared;
}

function prepare(request: Attributes, object: JsonObject, context: ChainContext): Attributes | Status {
  if (isElsewhere(request, object)) {
    return badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  if (request.operation === 'UPDATE' && isStale(object, request.oldObject)) return conflict(request);
  const unique = withObject(request, withoutRepeatedOwners(context.codec.prune(object).value));
  const generated = { uid: context.newUid(), time: timestamp(), newSuffix: context.newSuffix };
  const prepared =
    request.operation === 'CREATE' ? prepareCreation(unique, generated) : prepareUpdate(unique);
  const { name } = metadataOf(prepared);
  const ownName = typeof name === 'string' && request.subresource === '' ? name : request.name;
  return { ...request, object: prepared, name: ownName };
}

/** A subresource's object may omit its namespace. */
export function isElsewhere({ namespace, resource }: Attributes, object: JsonObject): boolean {
  if (namespace === '' || resource.resource === 'namespaces') return false;
  const found = metadataOf(object).namespace;
  return typeof found === 'string' && found !== '' && found !== namespace;
}

function isStale(object: JsonObject, oldObject: JsonObject | null): boolean {
  const found = metadataOf(object).resourceVersion;
  const stored = metadataOf(oldObject ?? {}).resourceVersion;
  return found !== undefined && found !== '' && stored !== undefined && found !== stored;
}
