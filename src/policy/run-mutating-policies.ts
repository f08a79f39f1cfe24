import type { JsonObject } from '../json/json.ts';
import { sameJson } from '../json/same-json.ts';
import { apiVersionOf } from '../kube/resource.ts';
import type { Attributes } from './attributes.ts';
import { expressionBindings } from './bindings.ts';
import { codecOf } from './codec.ts';
import { compiledPolicy } from './compile-policy.ts';
import { evaluateConditions } from './evaluate.ts';
import { findParams, paramName } from './find-params.ts';
import type { PolicyInputs } from './inputs.ts';
import { isExemptFromPolicies, matchResources } from './match-policy.ts';
import { type BoundPolicy, type Policy, type PolicyBinding, policiesOf } from './policy.ts';
import { expressionRequest, namespaceOfRequest, paramValue } from './policy-context.ts';
import type { PolicyDecision, PolicyTrace } from './policy-trace.ts';
import type { Reinvocation } from './reinvocation.ts';
import { runMutation } from './run-mutation.ts';
import { policyError, type Status } from './status.ts';

export interface MutatingOutcome {
  /** As the policies left it; as it was if they rejected the request. */
  readonly object: JsonObject | null;
  readonly status?: Status;
  /** Mutations were run, so that the whole mutating phase runs a second time. */
  readonly needsRound: boolean;
  /** The object was encoded and decoded, which a JSONPatch whose `test` fails does not do. */
  readonly isRecoded: boolean;
  readonly trace: readonly PolicyTrace[];
}

/**
 * Runs all mutating policies on a request, in one round, by the names of policies and bindings. In the second round, those that
 * `reinvocation` remembers.
 */
export function runMutatingPolicies(
  request: Attributes,
  inputs: PolicyInputs,
  reinvocation: Reinvocation,
  round: number,
): MutatingOutcome {
  const run = new MutatingRun(request, inputs, reinvocation, round);
  if (round === 1) reinvocation.compare(request.object);
  if (request.object !== null && !isExemptFromPolicies(request)) {
    for (const bound of policiesOf(inputs.configurations, 'MutatingAdmissionPolicy')) {
      const status = run.policy(bound);
      if (status !== undefined)
        return { object: request.object, status, needsRound: false, isRecoded: false, trace: run.trace };
    }
  }
  const [first] = run.errors;
  if (first !== undefined) {
    const causes = run.errors.map(({ message }) => ({ message }));
    const status = policyError(request, first.message, first.reason, causes);
    return { object: request.object, status, needsRound: false, isRecoded: false, trace: run.trace };
  }
  const object = request.object === null ? null : run.object;
  reinvocation.finished(object);
  return { object, needsRound: run.needsRound, isRecoded: object !== request.object, trace: run.trace };
}

class MutatingRun {
  readonly trace: PolicyTrace[] = [];
  /** All are reported; the first decides. */
  readonly errors: { readonly message: string; readonly reason: string }[] = [];
  object: JsonObject;
  needsRound = false;
  readonly #request: Attributes;
  readonly #inputs: PolicyInputs;
  readonly #reinvocation: Reinvocation;
  readonly #round: number;

  constructor(request: Attributes, inputs: PolicyInputs, reinvocation: Reinvocation, round: number) {
    this.#request = request;
    this.#inputs = inputs;
    this.#reinvocation = reinvocation;
    this.#round = round;
    this.object = request.object ?? {};
  }

  /** A Status that ends everything; other errors are collected. */
  policy({ policy, bindings }: BoundPolicy): Status | undefined {
    const stop = { kind: policy.kind, policy: policy.name, decisions: [] };
    if (bindings.length === 0) {
      const detail = `no binding names the policy "${policy.name}"`;
      this.trace.push({ ...stop, result: { outcome: 'skipped', because: 'no binding', detail } });
      return undefined;
    }
    const { cluster } = this.#inputs;
    // The object as it came, not as earlier policies left it.
    const match = matchResources(policy.matchConstraints, this.#request, cluster);
    if ('status' in match) return match.status;
    if ('outcome' in match) {
      this.trace.push({ ...stop, result: match });
      return undefined;
    }
    for (const binding of bindings) {
      const status = this.#binding(policy, binding, match.resource);
      if (status !== undefined) return status;
    }
    return undefined;
  }

  #binding(policy: Policy, binding: PolicyBinding, resource: Attributes['resource']): Status | undefined {
    const { cluster } = this.#inputs;
    const stop = { kind: policy.kind, policy: policy.name, binding: binding.name, decisions: [] };
    if (binding.matchResources !== undefined) {
      const match = matchResources(binding.matchResources, this.#request, cluster);
      if ('status' in match) return match.status;
      if ('outcome' in match) {
        this.trace.push({ ...stop, result: match });
        return undefined;
      }
    }
    const found = findParams(policy, binding, this.#request, cluster);
    if ('error' in found) {
      const name = found.isOfPolicy
        ? `policy "${policy.name}"`
        : `policy '${policy.name}' with binding '${binding.name}'`;
      return this.#failed(
        policy,
        binding,
        undefined,
        [],
        `${name} denied request: ${found.error}`,
        'Forbidden',
      );
    }
    if (found.params.length === 0) {
      const detail = 'no parameter was found, and the binding allows that';
      this.trace.push({ ...stop, result: { outcome: 'skipped', because: 'no parameter', detail } });
    }
    for (const param of found.params) {
      const status = this.#param(policy, binding, param, resource);
      if (status !== undefined) return status;
    }
    return undefined;
  }

  #param(
    policy: Policy,
    binding: PolicyBinding,
    param: JsonObject | null,
    resource: Attributes['resource'],
  ): Status | undefined {
    const member = `${policy.name}/${binding.name}/${param === null ? '' : paramName(param)}`;
    const stop = {
      kind: policy.kind,
      policy: policy.name,
      binding: binding.name,
      ...(param !== null && { param: paramName(param) }),
    };
    if (this.#round === 1 && !this.#reinvocation.isAgain(member)) {
      const detail = 'nothing changed the object after it ran, or its reinvocationPolicy is "Never"';
      this.trace.push({
        ...stop,
        decisions: [],
        result: { outcome: 'skipped', because: 'not reinvoked', detail },
      });
      return undefined;
    }
    const compiled = compiledPolicy(policy);
    const params = policy.paramKind === undefined ? undefined : paramValue(param, true);
    const contextFor = (namespaceObject: JsonObject | null) =>
      expressionRequest(
        { ...this.#request, object: this.object },
        resource,
        namespaceObject,
        params,
        this.#inputs,
      );
    const matched = evaluateConditions(compiled.matchConditions, expressionBindings(contextFor(null)));
    const denied = (error: string) =>
      `policy '${policy.name}' with binding '${binding.name}' denied request: ${error}`;
    if (matched !== true && 'error' in matched) {
      return this.#failed(policy, binding, param, [], denied(matched.error), 'Invalid');
    }
    if (matched !== true) {
      const { name } = policy.matchConditions[matched.unmet] as { name: string };
      const detail = `condition "${name}" is false`;
      this.trace.push({
        ...stop,
        decisions: [],
        result: { outcome: 'skipped', because: 'matchConditions', detail },
      });
      return undefined;
    }
    const found = namespaceOfRequest(this.#request, this.#inputs);
    if ('status' in found) return found.status;
    const { kind } = contextFor(null);
    const codec = codecOf(kind, this.#inputs.cluster);
    if (!codec.isKnown) return noSchema(kind);
    const before = this.object;
    const decisions: PolicyDecision[] = [];
    const errors: string[] = [];
    for (const [index, mutation] of policy.mutations.entries()) {
      const context = contextFor(found.namespace) as Parameters<typeof runMutation>[3];
      const program = compiled.mutations[index];
      if (program === undefined) continue;
      const result = runMutation(mutation, program, compiled.variables, context, kind, codec);
      decisions.push(result.decision);
      if ('status' in result) {
        this.trace.push({ ...stop, decisions, result: { outcome: 'rejected', status: result.status } });
        return result.status;
      }
      if ('error' in result) errors.push(denied(result.error));
      else this.object = result.object;
    }
    if (policy.reinvocationPolicy === 'IfNeeded') this.#reinvocation.invoked(member);
    // Whatever a mutation did to the object; only one that failed does not count.
    if (errors.length < policy.mutations.length) {
      this.#reinvocation.changed();
      this.needsRound = true;
    }
    const [first] = errors;
    if (first !== undefined) {
      if (policy.failurePolicy === 'Fail') this.object = before;
      return this.#failed(policy, binding, param, decisions, first, 'Invalid', errors);
    }
    const isSame = sameJson(before, this.object);
    this.trace.push({
      ...stop,
      decisions,
      result: isSame ? { outcome: 'unchanged' } : { outcome: 'changed', before, after: this.object },
    });
    return undefined;
  }

  #failed(
    policy: Policy,
    binding: PolicyBinding,
    param: JsonObject | null | undefined,
    decisions: readonly PolicyDecision[],
    message: string,
    reason: string,
    all: readonly string[] = [message],
  ): undefined {
    const isFatal = policy.failurePolicy === 'Fail';
    if (isFatal) for (const each of all) this.errors.push({ message: each, reason });
    this.trace.push({
      kind: policy.kind,
      policy: policy.name,
      binding: binding.name,
      ...(param && { param: paramName(param) }),
      decisions,
      result: isFatal
        ? { outcome: 'rejected', status: policyError(this.#request, message, reason, [{ message }]) }
        : { outcome: 'failed open', error: message },
    });
    return undefined;
  }
}

function noSchema(kind: Attributes['kind']): Status {
  const name = `${kind.group === '' ? '/' : ''}${apiVersionOf(kind)}, Kind=${kind.kind}`;
  const delay =
    'There can be a delay between when CustomResourceDefinitions are created and when they are available.';
  return { code: 503, reason: 'ServiceUnavailable', message: `Resource kind ${name} not found. ${delay}` };
}
