import type { JsonObject } from '../json/json.ts';
import { fill, fillAbsent, fillMember } from './fill.ts';

/** A PersistentVolumeClaim with the API server's defaults. */
export function claimDefaults(claim: JsonObject): JsonObject {
  const filled = fillMember(claim, 'spec', (spec) => fillAbsent(spec, { volumeMode: 'Filesystem' }));
  return withPhase(filled, 'Pending');
}

/** The status is always encoded. */
export function withPhase(object: JsonObject, phase: string): JsonObject {
  return fillMember(fill(object, { status: {} }), 'status', (status) => fill(status, { phase }));
}
