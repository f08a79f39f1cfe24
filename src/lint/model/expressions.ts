import { isJsonObject } from '../../json/json.ts';
import type { Pointer } from '../../json/pointer.ts';
import { itemsOf, membersOf } from '../../kube/json-parts.ts';
import { specOf } from './backend.ts';
import type { Inventory } from './inventory.ts';
import { type Source, titleOf } from './source.ts';
import { textOf } from './text.ts';
import { describe } from './webhook.ts';

/** A CEL expression of a webhook or a policy. */
export interface Expression {
  readonly path: Pointer;
  readonly text: string;
  readonly use:
    | 'matchCondition'
    | 'validation'
    | 'message'
    | 'auditAnnotation'
    | 'variable'
    | 'apply'
    | 'jsonPatch';
}

/** The expressions of one webhook or policy, which share variables and a budget. */
export interface ExpressionSet {
  readonly source: Source;
  /** To begin a message. */
  readonly owner: string;
  readonly isPolicy: boolean;
  readonly expressions: readonly Expression[];
}

export function expressionSets(inventory: Inventory): ExpressionSet[] {
  const ofWebhooks = inventory.webhooks.map((webhook) => ({
    source: webhook.source,
    owner: describe(webhook),
    isPolicy: false,
    expressions: webhook.matchConditions.map(({ path, expression }) => ({
      path,
      text: expression,
      use: 'matchCondition' as const,
    })),
  }));
  const policies = ['ValidatingAdmissionPolicy', 'MutatingAdmissionPolicy'].flatMap((kind) =>
    inventory.list(kind),
  );
  const ofPolicies = policies.map((source) => ({
    source,
    owner: titleOf(source),
    isPolicy: true,
    expressions: policyExpressions(source),
  }));
  return [...ofWebhooks, ...ofPolicies].filter(({ expressions }) => expressions.length > 0);
}

/** The lists of a policy's spec, with the path of the expression in an item. */
const LISTS: readonly (readonly [string, string, Expression['use']])[] = [
  ['variables', 'expression', 'variable'],
  ['matchConditions', 'expression', 'matchCondition'],
  ['validations', 'expression', 'validation'],
  ['validations', 'messageExpression', 'message'],
  ['auditAnnotations', 'valueExpression', 'auditAnnotation'],
  ['mutations', 'applyConfiguration/expression', 'apply'],
  ['mutations', 'jsonPatch/expression', 'jsonPatch'],
];

function policyExpressions(source: Source): Expression[] {
  const spec = specOf(source);
  return LISTS.flatMap(([list, field, use]) =>
    itemsOf(spec[list]).flatMap((item, index) => {
      const [outer = '', inner] = field.split('/');
      const members = isJsonObject(item) ? item : {};
      const text = textOf(inner === undefined ? members[outer] : membersOf(members[outer])[inner]);
      return text === '' ? [] : { path: `/spec/${list}/${index}/${field}`, text, use };
    }),
  );
}

/** The code of an expression without the content of its string literals. */
export function withoutStrings(expression: string): string {
  return expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, "''");
}
