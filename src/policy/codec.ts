import { isJsonObject, type JsonObject } from '../json/json.ts';
import { apiVersionOf } from '../kube/resource.ts';
import { type Decoded, decodeTyped } from '../kube/typed/decode.ts';
import { withSchemeDefaults } from '../kube/typed/round-trip.ts';
import { metadataType, type StructType, typedKind } from '../kube/typed/schema.ts';
import type { GroupVersionKind } from './attributes.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import { customResourceType, pruned, withSchemaDefaults } from './custom-resource-type.ts';

/** Reads and writes the objects of one kind as the API server does. */
export interface Codec {
  readonly type: StructType;
  /** Whether the kind's schema is known. */
  readonly isKnown: boolean;
  readonly isCustom: boolean;
  /** Decodes and encodes again, without defaults. `known` is an earlier result, of which the object may have parts. */
  decode(object: JsonObject, known?: JsonObject): Decoded;
  /** A decoded object with the API's defaults. */
  complete(object: JsonObject): JsonObject;
  /** Without fields that the schema does not declare: a request's object, and what is stored. */
  prune(object: JsonObject): { readonly value: JsonObject; readonly unknown: readonly string[] };
}

export function codecOf(kind: GroupVersionKind, cluster: ClusterObjects): Codec {
  const type = typedKind(apiVersionOf(kind), kind.kind);
  if (type !== undefined) return typed(type);
  const schema = cluster.customResource(kind)?.schema;
  return schema === undefined ? UNKNOWN : custom(schema);
}

function typed(type: StructType): Codec {
  return {
    type,
    isKnown: true,
    isCustom: false,
    decode: (object, known) => decodeTyped(object, type, known),
    complete: withSchemeDefaults,
    prune: (value) => ({ value, unknown: [] }),
  };
}

/** Custom resources are plain maps: of their types only the metadata's is enforced before validation. */
function custom(schema: JsonObject): Codec {
  const type = customResourceType(schema);
  return {
    type,
    isKnown: true,
    isCustom: true,
    decode: decodeMetadata,
    complete: (object) => withSchemaDefaults(object, schema) as JsonObject,
    prune(object) {
      const { metadata, ...rest } = object;
      const { value, unknown } = pruned(rest, type);
      return { value: { ...(value as JsonObject), ...(metadata !== undefined && { metadata }) }, unknown };
    },
  };
}

const UNKNOWN: Codec = {
  type: {
    type: 'struct',
    name: 'Object',
    atomic: false,
    open: true,
    written: () => [],
    fields: () => new Map([['metadata', { type: metadataType(), written: false, pointer: true }]]),
  },
  isKnown: false,
  isCustom: true,
  decode: decodeMetadata,
  complete: (object) => object,
  prune: (value) => ({ value, unknown: [] }),
};

function decodeMetadata(object: JsonObject): Decoded {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return { value: object, unknown: [] };
  const decoded = decodeTyped(metadata, metadataType());
  return 'error' in decoded ? decoded : { value: { ...object, metadata: decoded.value }, unknown: [] };
}
