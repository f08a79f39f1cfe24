import { bindingsWith } from '../cel/lazy-variables.ts';
import type { Bindings } from '../cel/plan/frame.ts';
import type { Budget } from '../cel/program.ts';
import { type ExpressionRequest, expressionBindings } from './bindings.ts';
import type { Compiled, CompiledPolicy } from './compile-policy.ts';
import { BudgetExhausted, type Evaluated, evaluate } from './evaluate.ts';
import type { Policy, Validation } from './policy.ts';

/** One validation that did not pass. */
export interface FailedValidation {
  readonly expression: string;
  readonly message: string;
  /** Absent if the expression itself failed. */
  readonly reason?: string;
  readonly isError: boolean;
}

/** Units for the validations and messageExpressions of one policy, binding and parameter; as many for its audit annotations. */
const POLICY_BUDGET = 10_000_000;
/** Characters of a message that an expression made. */
const LONGEST_MESSAGE = 5 * 1024;

/** The validations of a policy that a request does not pass. */
export function failedValidations(
  policy: Policy,
  compiled: CompiledPolicy,
  context: ExpressionRequest,
): readonly FailedValidation[] {
  const budget = { remaining: POLICY_BUDGET };
  const results = batch(compiled.validations, compiled.variables, expressionBindings(context), budget);
  if (results instanceof BudgetExhausted)
    return [{ expression: '', message: results.message, isError: true }];
  const { authorize: _, ...withoutAuthorizer } = context;
  const messages = batch(
    compiled.messages,
    compiled.variables,
    expressionBindings(withoutAuthorizer),
    budget,
  );
  return policy.validations.flatMap((validation, index): FailedValidation[] => {
    const { expression } = validation;
    const result = results[index] as Evaluated;
    if ('error' in result) return [{ expression, message: result.error, isError: true }];
    if (messages instanceof BudgetExhausted) {
      return [{ expression, message: `failed messageExpression: ${messages.message}`, isError: true }];
    }
    if (result.value === true) return [];
    const message = messageOf(validation, messages[index]);
    return [{ expression, message, reason: validation.reason ?? 'Invalid', isError: false }];
  });
}

function messageOf({ expression, message }: Validation, evaluated: Evaluated | undefined): string {
  const dynamic = evaluated !== undefined && 'value' in evaluated ? evaluated.value : undefined;
  const text = typeof dynamic === 'string' ? dynamic.trim() : '';
  if (text !== '' && !text.includes('\n') && new TextEncoder().encode(text).length <= LONGEST_MESSAGE)
    return text;
  return message.trim() === '' ? `failed expression: ${expression.trim()}` : message.trim();
}

/** Evaluates expressions that share a budget and the values of variables. */
function batch(
  programs: readonly (Compiled | undefined)[],
  variables: CompiledPolicy['variables'],
  bindings: Bindings,
  budget: Budget,
): readonly (Evaluated | undefined)[] | BudgetExhausted {
  const all = bindingsWith(variables, bindings, budget);
  try {
    return programs.map((program) => (program === undefined ? undefined : evaluate(program, all, budget)));
  } catch (error) {
    if (error instanceof BudgetExhausted) return error;
    throw error;
  }
}

export type Annotation = { readonly key: string; readonly value: string } | { readonly error: string };

/** Longer values are cut. */
const LONGEST_ANNOTATION = 10 * 1024;

/** The audit annotations of a policy: null and '' stand for none. */
export function auditAnnotations(
  policy: Policy,
  compiled: CompiledPolicy,
  context: ExpressionRequest,
): readonly Annotation[] {
  // `authorizer` compiles in these expressions, but is not bound.
  const { authorize: _, ...rest } = context;
  const budget = { remaining: POLICY_BUDGET };
  const results = batch(compiled.annotations, compiled.variables, expressionBindings(rest), budget);
  if (results instanceof BudgetExhausted) return [{ error: results.message }];
  return policy.auditAnnotations.flatMap(({ key }, index): Annotation[] => {
    const result = results[index] as Evaluated;
    if ('error' in result) return [{ error: result.error }];
    const value = typeof result.value === 'string' ? result.value.trim() : '';
    return value === '' ? [] : [{ key: `${policy.name}/${key}`, value: value.slice(0, LONGEST_ANNOTATION) }];
  });
}
