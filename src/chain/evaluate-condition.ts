import type { Json } from '../json/json.ts';
import type { FieldError } from '../kube/field-error.ts';
import type { Attributes } from '../policy/attributes.ts';
import type { RuleMatch } from '../policy/match-rules.ts';

export interface ConditionBindings {
  readonly request: Attributes;
  readonly match: RuleMatch;
}

/** All true; or one that is false, whatever the others do; or the errors of those that failed. */
export type ConditionResult = true | { readonly unmet: string } | { readonly error: string };

export function evaluateConditions(
  conditions: readonly { readonly name: string; readonly expression: string }[],
  _bindings: ConditionBindings,
): ConditionResult {
  const [first] = conditions;
  return first === undefined ? true : { error: `expression '${first.expression}' cannot be evaluated yet` };
}

export function validateConditions(_conditions: Json | undefined, _field: string): FieldError[] {
  return [];
}
