import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { Attributes } from '../policy/attributes.ts';
import { badRequest, type Status } from '../policy/status.ts';
import { isElsewhere } from './between-phases.ts';
import type { ChainContext } from './context.ts';
import { withManagedFields } from './managed-fields.ts';
import { beforeCreation } from './prepare-object.ts';
import { timestamp } from './timestamp.ts';

/** The request as admission receives it: objects decoded and defaulted, unknown fields dropped with a warning or an error. */
export function decodeRequest(request: Attributes, context: ChainContext): Attributes | Status {
  const oldObject = request.oldObject === null ? null : completed(request.oldObject, context);
  if (request.object === null) return { ...request, oldObject };
  const { kind, version } = request.kind;
  const decoded = context.codec.decode(request.object);
  const refusal = (text: string) =>
    badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${text}`);
  if ('error' in decoded) return refusal(decoded.error);
  const pruned = context.codec.prune(decoded.value);
  const unknown = [...decoded.unknown, ...pruned.unknown].map((field) => `unknown field "${field}"`);
  const validation = request.options?.fieldValidation;
  if (unknown.length > 0 && validation === 'Strict')
    return refusal(`strict decoding error: ${unknown.join(', ')}`);
  if (validation !== 'Ignore') for (const warning of unknown) context.recorder.warn(warning);
  if (request.subresource === '' && isElsewhere(request, decoded.value)) {
    return badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    );
  }
  const object = inNamespace(context.codec.complete(pruned.value), request);
  if (request.operation !== 'CREATE' || request.subresource !== '') return { ...request, object, oldObject };
  const created = { ...request, object: beforeCreation(object), oldObject };
  return isJsonObject(object.metadata)
    ? { ...created, object: withManagedFields(created, timestamp()) }
    : created;
}

/** An object may omit the namespace of its request. */
function inNamespace(object: JsonObject, { namespace, resource, subresource }: Attributes): JsonObject {
  const isNamespaced = namespace !== '' && resource.resource !== 'namespaces' && subresource === '';
  return isNamespaced && isJsonObject(object.metadata)
    ? { ...object, metadata: { ...object.metadata, namespace } }
    : object;
}

function completed(object: JsonObject, { codec }: ChainContext): JsonObject {
  const decoded = codec.decode(object);
  return codec.complete('error' in decoded ? object : decoded.value);
}
