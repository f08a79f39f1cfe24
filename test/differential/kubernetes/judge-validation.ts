import { isJsonObject, type JsonObject } from '../../../src/json/json.ts';
import { podValidationProblems } from '../../../src/kube/pod-validation.ts';
import type { Judgement } from '../differential.ts';
import { type StoredPod, storedPods } from './judge-stored-pod.ts';
import { reasonsFor, VALIDATION_DEPARTURES } from './pod-departures.ts';

/** Compares the fields that podgraft expects the API server to reject with those that it does reject. */
export async function judgeValidation(given: JsonObject): Promise<Judgement> {
  const pod = { ...given, apiVersion: 'v1', kind: 'Pod' };
  const [{ pod: typed, invalid = [], error }] = (await storedPods([pod])) as readonly [StoredPod];
  // Values of a wrong type are refused before validation.
  if (typed === undefined) return { difference: `cannot decode it: ${error}` };
  const ours = podValidationProblems(isJsonObject(given.spec) ? pod : { ...pod, spec: {} });
  const [wanted, found] = [invalid.map(({ field }) => field), ours.map(({ path }) => fieldOf(path))];
  const lines = [
    ...invalid
      .filter(({ field }) => !found.some((each) => isSamePlace(each, field)))
      .map(({ field, message }) => `only theirs: ${field}: ${message.slice(0, 200)}`),
    ...ours
      .filter(({ path }) => !wanted.some((each) => isSamePlace(each, fieldOf(path))))
      .map(({ path, message }) => `only ours: ${fieldOf(path)}: ${message}`),
  ];
  if (lines.length === 0) return 'equal';
  const reasons = reasonsFor(lines, VALIDATION_DEPARTURES);
  return reasons ? { departure: reasons } : { difference: lines.join('\n') };
}

/** `/spec/containers/0/name` → `spec.containers[0].name`. */
function fieldOf(pointer: string): string {
  const parts = pointer.slice(1).split('/');
  return parts
    .map((part, index) => (/^\d+$/.test(part) ? `[${part}]` : index === 0 ? part : `.${part}`))
    .join('');
}

/** One may name the invalid part of the other. */
function isSamePlace(one: string, other: string): boolean {
  const [short, long] = [one, other].map(normal).sort((a, b) => a.length - b.length) as [string, string];
  return long === short || long.startsWith(`${short}.`) || long.startsWith(`${short}[`);
}

function normal(field: string): string {
  return (ELSEWHERE[field] ?? field)
    .replace('volumeMounts.', 'volumeMounts[0].')
    .replace(POD_LIMIT, 'spec.$1.resources.limits.$2')
    .replace(/\[([a-z][^\]]*)\]/g, '.$1')
    .replaceAll('~1', '/');
}

/** Of a container that has more than the Pod: `spec.resources.containers[0][cpu].limits`. */
const POD_LIMIT = /^spec\.resources\.(containers\[\d+\])\[([^\]]+)\]\.limits$/;

/** Where the API server names another field than the invalid one. */
const ELSEWHERE: { readonly [field: string]: string } = {
  'spec.securityContext.shareProcessNamespace': 'spec.shareProcessNamespace',
};
