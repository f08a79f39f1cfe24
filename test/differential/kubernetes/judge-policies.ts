import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../../../src/json/json.ts';
import {
  comparableOutcome,
  type PolicyCase,
  type PolicyOutcome,
  runPolicyCase,
} from '../../peers/policy-case.ts';
import { differences } from '../differences.ts';
import type { Judgement } from '../differential.ts';
import { startOracle } from '../start-oracle.ts';

export const oracle = startOracle('kubernetes');

/** Compares the results of policies for an object, with all their messages. */
export async function judgePolicies(subject: PolicyCase): Promise<Judgement> {
  const theirs = await oracle?.ask<PolicyOutcome & { readonly failure?: string }>({ policies: subject });
  if (theirs === undefined || theirs.failure !== undefined) throw new Error(theirs?.failure ?? 'no oracle');
  // The controller manager checks types, not the code of the oracle.
  const ours = { ...runPolicyCase(subject), typeChecking: {} };
  const [one, other] = [ours, theirs].map((each) => plain(comparableOutcome(each)));
  if (isDeepStrictEqual(one, other)) return 'equal';
  return { difference: `(ours | theirs)\n${differences(one as Json, other as Json).join('\n')}` };
}

/** As JSON: without fields that are undefined. */
function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value)) as Json;
}
