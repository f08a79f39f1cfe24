import type { JsonObject } from '../../json/json.ts';
import { withDefaults } from '../api-defaults.ts';
import { fillMember } from '../fill.ts';
import type { KubeObject } from '../kube-object.ts';
import { podApiDefaults } from '../pod-defaults.ts';
import { type Decoded, decodeTyped } from './decode.ts';
import type { StructType } from './schema.ts';

/** An object as the API server holds it: decoded into its Go type, with defaults, and encoded again. */
export function roundTrip(object: JsonObject, type: StructType): Decoded {
  const decoded = decodeTyped(object, type);
  return 'error' in decoded ? decoded : { ...decoded, value: withSchemeDefaults(decoded.value) };
}

/** A decoded object with the API's defaults, without those that admission plugins set. */
export function withSchemeDefaults(object: JsonObject): JsonObject {
  const filled = withDefaults(object as unknown as KubeObject, podApiDefaults) as unknown as JsonObject;
  return asConverted(filled);
}

/** What converting a Pod to the version that the API server works with changes, besides defaults. */
function asConverted(object: JsonObject): JsonObject {
  if (object.kind !== 'Pod' || object.apiVersion !== 'v1') return object;
  return fillMember(object, 'spec', (spec) => withGracePeriod(withServiceAccount(spec)));
}

/** Both names of the field are always set together. */
function withServiceAccount(spec: JsonObject): JsonObject {
  const name = spec.serviceAccountName ?? spec.serviceAccount;
  if (name === undefined || (spec.serviceAccountName === name && spec.serviceAccount === name)) return spec;
  return { ...spec, serviceAccountName: name, serviceAccount: name };
}

function withGracePeriod(spec: JsonObject): JsonObject {
  const seconds = spec.terminationGracePeriodSeconds;
  return typeof seconds === 'number' && seconds < 0 ? { ...spec, terminationGracePeriodSeconds: 1 } : spec;
}
