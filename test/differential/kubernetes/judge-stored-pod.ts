import type { Json, JsonObject } from '../../../src/json/json.ts';
import { roundTrip } from '../../../src/kube/typed/round-trip.ts';
import { type StructType, typedKind } from '../../../src/kube/typed/schema.ts';
import { differences } from '../differences.ts';
import type { Judgement } from '../differential.ts';
import { startOracle } from '../start-oracle.ts';
import { FORM_DEPARTURES, reasonsFor } from './pod-departures.ts';

export const oracle = startOracle('kubernetes');

/** A Pod as the API server holds it, or the reason for its rejection. */
export interface StoredPod {
  readonly error?: string;
  readonly pod?: JsonObject;
  readonly invalid?: readonly FieldProblem[];
}

export interface FieldProblem {
  readonly field: string;
  readonly type: string;
  readonly message: string;
}

/** Kubernetes' processing of Pods: defaults, canonical form, validation. */
export async function storedPods(pods: readonly JsonObject[]): Promise<readonly StoredPod[]> {
  const answer = await oracle?.ask<{ pods?: readonly StoredPod[]; failure?: string }>({ pods });
  if (answer?.pods === undefined) throw new Error(answer?.failure ?? 'no oracle');
  return answer.pods;
}

/** Compares podgraft's typed form and defaults of a Pod with Kubernetes'. */
export async function judgeStored(given: JsonObject): Promise<Judgement> {
  const pod = { ...given, apiVersion: 'v1', kind: 'Pod' };
  const [theirs] = (await storedPods([pod])) as readonly [StoredPod];
  const ours = roundTrip(pod, POD);
  if ('error' in ours) {
    return theirs.error === undefined ? { difference: `only ours refuses: ${ours.error}` } : 'equal';
  }
  if (theirs.pod === undefined) return { difference: `only theirs refuses: ${theirs.error}` };
  const found = differences(ours.value, theirs.pod as Json);
  if (found.length > 0) {
    const reasons = reasonsFor(found, FORM_DEPARTURES);
    return reasons ? { departure: reasons } : { difference: `(ours | theirs)\n${found.join('\n')}` };
  }
  const again = roundTrip(ours.value, POD);
  const changed = 'error' in again ? [again.error] : differences(again.value, ours.value);
  return changed.length === 0 ? 'equal' : { difference: `a second run:\n${changed.join('\n')}` };
}

const POD = typedKind('v1', 'Pod') as StructType;
