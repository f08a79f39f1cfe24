import { isDeepStrictEqual } from 'node:util';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { type WebhookScope, webhookScopes } from './webhook-scopes.ts';

/**
 * Objects that a pipeline wants, and that the webhook configuration of another one does not send: `CREATE deployments.apps`.
 * Empty if it sends all of them.
 */
export function missingRules(registered: Pipeline, wanted: Pipeline): readonly string[] {
  const known = webhookScopes(registered);
  const scopes = webhookScopes(wanted);
  const sent = new Set(known.flatMap(rulesOf).map(nameOf));
  const missing = scopes.flatMap(rulesOf).filter((rule) => !coverings(rule).some((each) => sent.has(each)));
  const narrow = scopes.filter((scope) =>
    known.some((each) => each.name === scope.name && selectsLess(each, scope)),
  );
  const namespaces = [...registered.excludedNamespaces].filter(
    (name) => !wanted.excludedNamespaces.has(name),
  );
  return [
    ...new Set(missing.map(nameOf)),
    ...narrow.map(({ name }) => `other selectors or conditions of ${name}`),
    ...namespaces.map((name) => `namespace ${name}`),
  ];
}

interface SingleRule {
  readonly operation: string;
  readonly resource: string;
  readonly group: string;
}

function rulesOf({ rules }: WebhookScope): readonly SingleRule[] {
  return rules.flatMap(({ operations, resources, apiGroups }) =>
    operations.flatMap((operation) =>
      resources.flatMap((resource) => apiGroups.map((group) => ({ operation, resource, group }))),
    ),
  );
}

function nameOf({ operation, resource, group }: SingleRule): string {
  return `${operation} ${resource}${group === '' ? '' : `.${group}`}`;
}

/** The rule itself, that for its whole group, and that for everything. */
function coverings(rule: SingleRule): readonly string[] {
  return [rule, { ...rule, resource: '*' }, { ...rule, resource: '*', group: '*' }].map(nameOf);
}

/** Whether the first may leave out objects that the second wants. */
function selectsLess(one: WebhookScope, other: WebhookScope): boolean {
  const isNarrower = (field: 'namespaceSelector' | 'objectSelector') =>
    one[field] !== undefined && !isDeepStrictEqual(one[field], other[field]);
  const expressions = new Set(other.matchConditions.map(({ expression }) => expression));
  return (
    isNarrower('namespaceSelector') ||
    isNarrower('objectSelector') ||
    one.matchConditions.some(({ expression }) => !expressions.has(expression))
  );
}
