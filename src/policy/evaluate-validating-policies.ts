import type { JsonObject } from '../json/json.ts';
import type { Attributes } from './attributes.ts';
import { expressionBindings } from './bindings.ts';
import { compiledPolicy } from './compile-policy.ts';
import { evaluateConditions } from './evaluate.ts';
import { findParams, paramName } from './find-params.ts';
import type { PolicyInputs } from './inputs.ts';
import { isExemptFromPolicies, matchResources } from './match-policy.ts';
import { goJsonText } from './patch/raw-json.ts';
import { type Policy, type PolicyBinding, policiesOf } from './policy.ts';
import { expressionRequest, namespaceOfRequest, paramValue } from './policy-context.ts';
import type { PolicyDecision, PolicyTrace, Skipped } from './policy-trace.ts';
import { admissionForbidden, type Status } from './status.ts';
import { auditAnnotations, type FailedValidation, failedValidations } from './validate-request.ts';

export interface ValidatingOutcome {
  /** Of the first decision that denies. */
  readonly status?: Status;
  readonly warnings: readonly string[];
  readonly auditAnnotations: { readonly [key: string]: string };
  readonly trace: readonly PolicyTrace[];
}

/** Evaluates all validating policies on a request. Nothing ends early: warnings and annotations of all are collected. */
export function evaluateValidatingPolicies(request: Attributes, inputs: PolicyInputs): ValidatingOutcome {
  const run = new ValidatingRun(request, inputs);
  if (!isExemptFromPolicies(request)) {
    for (const { policy, bindings } of policiesOf(inputs.configurations, 'ValidatingAdmissionPolicy')) {
      const status = run.policy(policy, bindings);
      if (status !== undefined) return { ...run.collected(), status };
    }
  }
  return run.collected();
}

const FAILURES = 'validation.policy.admission.k8s.io/validation_failure';

class ValidatingRun {
  readonly #request: Attributes;
  readonly #inputs: PolicyInputs;
  readonly #trace: PolicyTrace[] = [];
  readonly #warnings: string[] = [];
  /** Different values of one key are joined. */
  readonly #annotations = new Map<string, Set<string>>();
  #failure: string | undefined;
  #denied: Status | undefined;

  constructor(request: Attributes, inputs: PolicyInputs) {
    this.#request = request;
    this.#inputs = inputs;
  }

  collected(): ValidatingOutcome {
    const annotations = [...this.#annotations].map(([key, values]) => [key, [...values].join(', ')]);
    return {
      ...(this.#denied && { status: this.#denied }),
      warnings: this.#warnings,
      auditAnnotations: {
        ...(this.#failure !== undefined && { [FAILURES]: this.#failure }),
        ...Object.fromEntries(annotations),
      },
      trace: this.#trace,
    };
  }

  /** A Status that ends everything; denials are collected. */
  policy(policy: Policy, bindings: readonly PolicyBinding[]): Status | undefined {
    if (bindings.length === 0) {
      this.#skip(policy, undefined, {
        outcome: 'skipped',
        because: 'no binding',
        detail: `no binding names the policy "${policy.name}"`,
      });
      return undefined;
    }
    const match = matchResources(policy.matchConstraints, this.#request, this.#inputs.cluster);
    if ('status' in match) return match.status;
    if ('outcome' in match) {
      this.#skip(policy, undefined, match);
      return undefined;
    }
    for (const binding of bindings) {
      const status = this.#binding(policy, binding, match.resource);
      if (status !== undefined) return status;
    }
    return undefined;
  }

  #binding(policy: Policy, binding: PolicyBinding, resource: Attributes['resource']): Status | undefined {
    if (binding.matchResources !== undefined) {
      const match = matchResources(binding.matchResources, this.#request, this.#inputs.cluster);
      if ('status' in match) return match.status;
      if ('outcome' in match) {
        this.#skip(policy, binding, match);
        return undefined;
      }
    }
    const found = findParams(policy, binding, this.#request, this.#inputs.cluster);
    if ('error' in found) {
      const isFatal = policy.failurePolicy === 'Fail';
      // Broken parameters deny, whatever the binding's actions are.
      if (isFatal) this.#deny(policy, found.isOfPolicy ? undefined : binding, found.error, 'Invalid');
      this.#record(policy, binding, null, [], isFatal ? undefined : found.error);
      return undefined;
    }
    if (found.params.length === 0) {
      const detail = 'no parameter was found, and the binding allows that';
      this.#skip(policy, binding, { outcome: 'skipped', because: 'no parameter', detail });
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
    const found = namespaceOfRequest(this.#request, this.#inputs);
    if ('status' in found) return found.status;
    const compiled = compiledPolicy(policy);
    const params = policy.paramKind === undefined ? undefined : paramValue(param, false);
    const contextFor = (namespace: JsonObject | null) =>
      expressionRequest(this.#request, resource, namespace, params, this.#inputs);
    const matched = evaluateConditions(compiled.matchConditions, expressionBindings(contextFor(null)));
    if (matched !== true && 'unmet' in matched) {
      const { name } = policy.matchConditions[matched.unmet] as { name: string };
      const detail = `condition "${name}" is false`;
      this.#skip(policy, binding, { outcome: 'skipped', because: 'matchConditions', detail }, param);
      return undefined;
    }
    const context = contextFor(found.namespace);
    const failures =
      matched === true
        ? failedValidations(policy, compiled, context)
        : [{ expression: '', message: matched.error, isError: true }];
    const counted = failures.filter(({ isError }) => !isError || policy.failurePolicy === 'Fail');
    const decisions = failures.map((failure) =>
      this.#decide(policy, binding, failure, counted.includes(failure)),
    );
    if (matched === true) this.#annotate(policy, binding, auditAnnotations(policy, compiled, context));
    const ignored = failures.find((failure) => !counted.includes(failure));
    this.#record(policy, binding, param, decisions, counted.length === 0 ? ignored?.message : undefined);
    return undefined;
  }

  #decide(
    policy: Policy,
    binding: PolicyBinding,
    failure: FailedValidation,
    isCounted: boolean,
  ): PolicyDecision {
    const { expression, message } = failure;
    if (!isCounted) return { expression, message, actions: [] };
    const { validationActions: actions } = binding;
    if (actions.includes('Deny')) this.#deny(policy, binding, message, failure.reason ?? 'Invalid');
    if (actions.includes('Warn')) {
      const names = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
      this.#warnings.push(`Validation failed for ${names}: ${message}`);
    }
    if (actions.includes('Audit')) {
      const index = policy.validations.findIndex((validation) => validation.expression === expression);
      // Only the first failure of a request is kept.
      this.#failure ??= goJsonText([
        {
          message,
          policy: policy.name,
          binding: binding.name,
          expressionIndex: Math.max(0, index),
          validationActions: actions,
        },
      ]);
    }
    return { expression, message, actions };
  }

  #annotate(policy: Policy, binding: PolicyBinding, annotations: ReturnType<typeof auditAnnotations>): void {
    for (const annotation of annotations) {
      if ('error' in annotation) {
        if (policy.failurePolicy === 'Fail') this.#deny(policy, binding, annotation.error, 'Invalid');
        continue;
      }
      const values = this.#annotations.get(annotation.key) ?? new Set();
      this.#annotations.set(annotation.key, values.add(annotation.value));
    }
  }

  #deny(policy: Policy, binding: PolicyBinding | undefined, text: string, reason: string): void {
    if (this.#denied !== undefined) return;
    const bound = binding === undefined ? '' : ` with binding '${binding.name}'`;
    const message = `ValidatingAdmissionPolicy '${policy.name}'${bound} denied request: ${text}`;
    const status = admissionForbidden(this.#request, message);
    this.#denied = {
      ...status,
      code: CODES[reason] ?? 422,
      reason,
      details: { ...status.details, causes: [{ message }] },
    };
  }

  #skip(
    policy: Policy,
    binding: PolicyBinding | undefined,
    result: Skipped,
    param: JsonObject | null = null,
  ): void {
    this.#trace.push({ ...names(policy, binding, param), decisions: [], result });
  }

  #record(
    policy: Policy,
    binding: PolicyBinding,
    param: JsonObject | null,
    decisions: readonly PolicyDecision[],
    ignored: string | undefined,
  ): void {
    const isDenied =
      this.#denied !== undefined && !this.#trace.some(({ result }) => result.outcome === 'rejected');
    this.#trace.push({
      ...names(policy, binding, param),
      decisions,
      result: isDenied
        ? { outcome: 'rejected', status: this.#denied as Status }
        : ignored === undefined
          ? { outcome: 'unchanged' }
          : { outcome: 'failed open', error: ignored },
    });
  }
}

const CODES: { readonly [reason: string]: number } = {
  Unauthorized: 401,
  Forbidden: 403,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

function names(policy: Policy, binding: PolicyBinding | undefined, param: JsonObject | null) {
  return {
    kind: policy.kind,
    policy: policy.name,
    ...(binding && { binding: binding.name }),
    ...(param && { param: paramName(param) }),
  };
}
