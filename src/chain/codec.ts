import { isJsonObject, type JsonObject } from '../json/json.ts';
import { apiVersionOf } from '../kube/resource.ts';
import { type Decoded, decodeTyped } from '../kube/typed/decode.ts';
import { roundTrip, withApiDefaults } from '../kube/typed/round-trip.ts';
import { metadataType, type StructType, typedKind } from '../kube/typed/schema.ts';
import type { GroupVersionKind } from '../policy/attributes.ts';

/** Reads and writes the objects of one kind as the API server does. */
export interface Codec {
  /** Decodes and encodes again, without defaults. */
  decode(object: JsonObject): Decoded;
  /** With the API's defaults. */
  complete(object: JsonObject): JsonObject;
}

export function codecOf(kind: GroupVersionKind): Codec {
  const type = typedKind(apiVersionOf(kind), kind.kind);
  return type === undefined ? untyped : typed(type);
}

function typed(type: StructType): Codec {
  return {
    decode: (object) => decodeTyped(object, type),
    complete(object) {
      const completed = roundTrip(object, type);
      // Only objects that have been decoded get defaults.
      return 'error' in completed ? withApiDefaults(object) : completed.value;
    },
  };
}

/** A kind of which only the metadata is known: custom resources, and kinds of newer versions. */
const untyped: Codec = {
  decode(object) {
    const { metadata } = object;
    if (!isJsonObject(metadata)) return { value: object, unknown: [] };
    const decoded = decodeTyped(metadata, metadataType());
    return 'error' in decoded ? decoded : { value: { ...object, metadata: decoded.value }, unknown: [] };
  },
  complete: (object) => object,
};
