import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { setMember } from '../json/member.ts';
import { sameJson } from '../json/same-json.ts';
import { typedKind } from '../kube/typed/schema.ts';
import type { Attributes, GroupVersionKind } from '../policy/attributes.ts';
import type { Codec } from '../policy/codec.ts';
import { convertObject } from '../policy/convert-object.ts';
import { applyGoPatch, type GoOperation, parseGoPatch } from '../policy/patch/go-patch.ts';
import { internalError } from '../policy/status.ts';
import type { Status } from './outcome.ts';
import type { ReviewResponse } from './read-answer.ts';
import type { Webhook } from './webhook.ts';

export type WebhookPatched = { readonly patch?: readonly Json[] } & (
  | { readonly unpatched: true }
  /** The call counts as failed, so failurePolicy applies. */
  | { readonly callError: string }
  /** failurePolicy does not apply. */
  | { readonly status: Status; readonly isAfterDecoding: boolean }
  | {
      readonly object: JsonObject;
      /** By the comparison of the API server, before defaults. */
      readonly changed: boolean;
      /** After defaults. */
      readonly isDifferent: boolean;
    }
);

/** Decodes and applies the patch of a response, and decodes the result into its type. */
export function applyWebhookPatch(
  webhook: Webhook,
  { patch = '', patchType = '' }: ReviewResponse,
  object: JsonObject | null,
  request: Attributes,
  codec: Codec,
): WebhookPatched {
  if (patch === '') return { unpatched: true };
  const parsed = parseGoPatch(Buffer.from(patch, 'base64').toString('utf8'));
  if ('error' in parsed)
    return { callError: `received undecodable patch in webhook response: ${parsed.error}` };
  if (parsed.operations.length === 0) return { unpatched: true };
  const shown = parsed.operations.map(shownOperation);
  if (object === null) {
    const name = JSON.stringify(webhook.name);
    const message = `admission webhook ${name} attempted to modify the object, which is not supported for this operation`;
    return { patch: shown, status: internalError(message), isAfterDecoding: false };
  }
  if (patchType !== 'JSONPatch')
    return { patch: shown, callError: `unsupported patch type ${JSON.stringify(patchType)}` };
  const patched = applyGoPatch(object, parsed.operations);
  if ('error' in patched)
    return { patch: shown, status: internalError(patched.error), isAfterDecoding: false };
  if (!isJsonObject(patched.value)) {
    const message = "couldn't get version/kind; json parse error: the document is not an object";
    return { patch: shown, status: internalError(message), isAfterDecoding: false };
  }
  return { patch: shown, ...decodePatched(patched.value, object, request, codec) };
}

function decodePatched(patched: JsonObject, before: JsonObject, request: Attributes, codec: Codec) {
  const identified = {
    ...patched,
    apiVersion: patched.apiVersion ?? before.apiVersion,
    kind: patched.kind ?? before.kind,
  } as JsonObject;
  if (identified.apiVersion !== before.apiVersion || identified.kind !== before.kind) {
    return { status: foreignKind(identified, request.kind), isAfterDecoding: true };
  }
  const decoded = codec.decode(identified, before);
  if ('error' in decoded) return { status: internalError(decoded.error), isAfterDecoding: false };
  // Defaults depend on the spec, except for those of Namespaces.
  const isSpecSame =
    before.kind !== 'Namespace' && decoded.value.spec === before.spec && before.spec !== undefined;
  const next = isSpecSame ? decoded.value : codec.complete(decoded.value);
  const object = convertObject(next, request.kind) as JsonObject;
  const changed = !sameJson(before, decoded.value);
  const isOnlyDecoded = object === decoded.value && before === request.object;
  return { changed, isDifferent: isOnlyDecoded ? changed : !sameJson(request.object, object), object };
}

/** A patch may turn the object into another kind; the API server notices when it converts the result back. */
function foreignKind(object: JsonObject, { group, kind }: GroupVersionKind): Status {
  const apiVersion = String(object.apiVersion);
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  if (typedKind(apiVersion, String(object.kind)) === undefined) {
    const scheme = 'pkg/api/legacyscheme/scheme.go:30';
    return internalError(
      `no kind "${String(object.kind)}" is registered for version "${apiVersion}" in scheme "${scheme}"`,
    );
  }
  const internal = `${group === '' ? 'core' : (group.split('.')[0] as string)}.${kind}`;
  return {
    code: 500,
    message: `converting (${version}.${String(object.kind)}) to (${internal}): unknown conversion`,
  };
}

function shownOperation(operation: GoOperation): JsonObject {
  if (operation.raw === undefined) return sortedMembers(operation as JsonObject);
  const { raw: _, ...sent } = operation;
  return sortedMembers(sent as JsonObject);
}

/** Go writes the members of a map in order. */
function sortedMembers(operation: JsonObject): JsonObject {
  const keys = Object.keys(operation);
  if (keys.every((key, index) => index === 0 || (keys[index - 1] as string) < key)) return operation;
  const sorted: Record<string, Json> = {};
  for (const key of keys.sort()) setMember(sorted, key, operation[key] as Json);
  return sorted;
}
