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
  type FileView,
  fault,
  type JsonObject,
  PodgraftError,
  type ReadProblem,
  sameJson,
  skip,
  transferChanges,
  type Validation,
  type Verdict,
} from '../../sdk/index.ts';
import { describeTrace, oneLine, wasEvaluated } from './describe-trace.ts';
import type { PolicyFile } from './policy-file.ts';
import { attributesOf, clusterPolicies, givenPolicies, policyInputs } from './policy-inputs.ts';
import { problemOf, typeProblemsOf } from './policy-problems.ts';
import type { PolicySettings } from './policy-settings.ts';

/** Policies, bindings and files of them that are not run, and why. */
export function policyProblems(
  config: PolicySettings,
  cluster: ClusterView,
  files: FileView,
): readonly ReadProblem[] {
  return [
    ...clusterPolicies(config, cluster).flatMap((object) =>
      problemsOf(object, config).map((problem) => ({ ...problem, object })),
    ),
    ...config.files.flatMap((file) => fileProblems(file, config, files)),
  ];
}

function fileProblems(file: PolicyFile, config: PolicySettings, files: FileView): readonly ReadProblem[] {
  const content = files.get(file);
  if (content === undefined) {
    const message = `"${file.path}" does not exist or has never been valid: its policies are not run`;
    return [{ message, severity: 'error' }];
  }
  const { objects, lines } = content;
  return objects.flatMap((object, index) =>
    problemsOf(object, config).map(({ message, severity }) => ({
      message: `${file.path}:${lines[index]}: ${message}`,
      severity,
    })),
  );
}

/** Why a policy is not run or, if it is, what is probably wrong with it. */
function problemsOf(object: JsonObject, config: PolicySettings): readonly ReadProblem[] {
  const message = problemOf(object, config);
  if (message !== undefined) return [{ message, severity: 'error' }];
  return typeProblemsOf(object).map((text) => ({ message: text, severity: 'warning' }));
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
      return { ...skip(idleReason(trace, context)), notes };
    }
    if (round > mostRounds) return { ...fault(unsettled(outcome.trace)), notes };
    current = next;
  }
}

/** One that failed may have made some of its changes. */
function isChange({ result }: PolicyTrace): boolean {
  return result.outcome === 'changed' || result.outcome === 'failed open';
}

function idleReason(trace: readonly PolicyTrace[], context: Context<PolicySettings>): string {
  if (trace.length === 0) {
    const isGiven = givenPolicies(context).some(({ kind }) => kind === 'MutatingAdmissionPolicy');
    return isGiven ? 'no MutatingAdmissionPolicy is valid' : 'there are no MutatingAdmissionPolicies';
  }
  const names = trace.filter(wasEvaluated).map(({ policy }) => `"${policy}"`);
  return names.length === 0
    ? 'no MutatingAdmissionPolicy is for this object'
    : `nothing to change for ${[...new Set(names)].join(', ')}`;
}

/** Labels that a policy selects are the object's own: an exception would let their author switch off all injection. */
function unsettled(trace: readonly PolicyTrace[]): PodgraftError {
  const names = trace.filter(isChange).map(({ policy }) => `"${policy}"`);
  const subject = names.length === 1 ? `MutatingAdmissionPolicy ${names[0]}` : `policies ${names.join(', ')}`;
  const advice = 'give its mutations a condition, so that nothing is added twice';
  return new PodgraftError(
    'MUTATION_FAILED',
    `${subject} would change the object every time it runs: ${advice}`,
  );
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
  const judging = new Set(trace.filter(wasEvaluated).map(({ policy }) => `"${policy}"`));
  const notes = describeTrace(trace);
  if (judging.size === 0 && status === undefined) {
    if (trace.length === 0) return undefined;
    return { skip: 'no ValidatingAdmissionPolicy is for this object', notes };
  }
  return {
    summary: `checked by ${[...judging].join(', ')}`,
    ...(status && { deny: status.message }),
    warnings,
    notes,
    audit: Object.fromEntries(Object.entries(auditAnnotations).map(([key, value]) => [auditKey(key), value])),
  };
}

/** The API server puts the webhook's name before the key, where only one slash is allowed. */
function auditKey(key: string): string {
  return key.replace(/^validation\.policy\.admission\.k8s\.io\//, '').replaceAll('/', '.');
}
