import {
  codecOf,
  evaluateValidatingPolicies,
  type PolicyTrace,
  Reinvocation,
  runMutatingPolicies,
} from '../../policy/index.ts';
import {
  type ClusterView,
  type Context,
  deny,
  type JsonObject,
  sameJson,
  skip,
  transferChanges,
  type Validation,
  type Verdict,
} from '../../sdk/index.ts';
import { describeTrace, isAtWork, oneLine } from './describe-trace.ts';
import { attributesOf, clusterPolicies, policyInputs } from './policy-inputs.ts';
import { problemOf } from './policy-problems.ts';
import type { PolicySettings } from './policy-settings.ts';

/** Policies and bindings that are not run, and why. */
export function policyProblems(config: PolicySettings, cluster: ClusterView): readonly string[] {
  const inFiles = config.files.flatMap(({ current }) => current);
  return [...clusterPolicies(config, cluster), ...inFiles].flatMap(
    (object) => problemOf(object, config) ?? [],
  );
}

/**
 * Runs the mutating policies until none changes the object, whatever their reinvocationPolicy: the webhook itself may be
 * called again for the result.
 */
export function runMutating(object: JsonObject, context: Context<PolicySettings>): Verdict<object> {
  const inputs = policyInputs(context);
  const request = attributesOf(context.request, object);
  const codec = codecOf(request.kind, inputs.cluster);
  const read = codec.decode(object);
  // Hand-written, or made so by another injector: the API server cannot decode it, and its message is the better one.
  if ('error' in read && !read.isWritable) return skip(`the object is invalid: ${oneLine(read.error)}`);
  // As the API server holds it: without unknown fields, with defaults.
  const seen = codec.complete('error' in read ? object : read.value);
  const mostRounds = inputs.configurations.length + 2;
  const trace: PolicyTrace[] = [];
  let current = seen;
  for (let round = 1; ; round++) {
    const outcome = runMutatingPolicies({ ...request, object: current }, inputs, new Reinvocation(), 0);
    const next = outcome.object ?? current;
    const isSame = sameJson(current, next);
    trace.push(...(round === 1 ? outcome.trace : outcome.trace.filter(isChange)));
    const notes = describeTrace(trace);
    if (outcome.status !== undefined) return { ...deny(outcome.status.message), notes };
    if (isSame) {
      if (current !== seen) return { target: transferChanges(object, seen, current), notes };
      return { ...skip(idleReason(trace)), notes };
    }
    if (round > mostRounds) throw unsettled(outcome.trace);
    current = next;
  }
}

/** One that failed may have made some of its changes. */
function isChange({ result }: PolicyTrace): boolean {
  return result.outcome === 'changed' || result.outcome === 'failed open';
}

function idleReason(trace: readonly PolicyTrace[]): string {
  if (trace.length === 0) return 'there are no MutatingAdmissionPolicies';
  const names = trace.filter(isAtWork).map(({ policy }) => `"${policy}"`);
  return names.length === 0
    ? 'no MutatingAdmissionPolicy is for this object'
    : `nothing to change for ${[...new Set(names)].join(', ')}`;
}

function unsettled(trace: readonly PolicyTrace[]): Error {
  const names = trace.filter(isChange).map(({ policy }) => `"${policy}"`);
  const subject = names.length === 1 ? `MutatingAdmissionPolicy ${names[0]}` : `policies ${names.join(', ')}`;
  const advice = 'give its mutations a condition, so that nothing is added twice';
  return new Error(`${subject} would change the object every time it runs: ${advice}`);
}

/** Evaluates the validating policies on the final object. */
export function runValidating(object: JsonObject, context: Context<PolicySettings>): Validation | undefined {
  const inputs = policyInputs(context);
  const request = attributesOf(context.request, object);
  const codec = codecOf(request.kind, inputs.cluster);
  const read = codec.decode(object);
  const seen = codec.complete('error' in read ? object : read.value);
  const outcome = evaluateValidatingPolicies({ ...request, object: seen }, inputs);
  const { status, warnings, auditAnnotations, trace } = outcome;
  const asked = new Set(trace.filter(isAtWork).map(({ policy }) => `"${policy}"`));
  if (asked.size === 0 && status === undefined) return undefined;
  return {
    summary: `checked by ${[...asked].join(', ')}`,
    ...(status && { deny: status.message }),
    warnings,
    notes: describeTrace(trace),
    audit: Object.fromEntries(Object.entries(auditAnnotations).map(([key, value]) => [auditKey(key), value])),
  };
}

/** The API server puts the webhook's name before the key, where only one slash is allowed. */
function auditKey(key: string): string {
  return key.replace(/^validation\.policy\.admission\.k8s\.io\//, '').replaceAll('/', '.');
}
