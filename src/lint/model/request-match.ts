import { builtinResource } from './builtin.ts';
import { isRuledOut } from './conditions.ts';
import type { Request } from './request.ts';
import { type Selector, selects } from './selector.ts';
import type { Webhook, WebhookRule } from './webhook.ts';

/** The rule by which a webhook may be called; undefined if it certainly is not. */
export function ruleFor(webhook: Webhook, request: Request): WebhookRule | undefined {
  const rule = webhook.rules.find((each) => ruleCovers(each, request));
  if (rule === undefined || !selectorsMatch(webhook, request) || isRuledOut(webhook, request))
    return undefined;
  return rule;
}

/** Without regard to versions: by default, the API server converts objects to a version that the rule names. */
function ruleCovers(rule: WebhookRule, request: Request): boolean {
  const { group, resource, operation } = request;
  return (
    listed(rule.operations, operation) &&
    listed(rule.groups, group) &&
    rule.resources.some((pattern) => resourceMatches(pattern, resource)) &&
    scopeMatches(rule.scope, request)
  );
}

function scopeMatches(scope: string, { group, resource, namespace }: Request): boolean {
  const [main = ''] = resource.split('/');
  const isNamespaced = namespace !== undefined || builtinResource(group, main)?.namespaced;
  // The scope of a custom resource is unknown.
  return scope === '*' || isNamespaced === undefined || (scope === 'Namespaced') === isNamespaced;
}

function listed(values: readonly string[], value: string): boolean {
  return values.includes(value) || values.includes('*');
}

/** `*` stands for all resources without subresources, `pods/*` for Pods and all of their subresources. */
export function resourceMatches(pattern: string, resource: string): boolean {
  const [main = '', sub] = pattern.split('/');
  const [ownMain = '', ownSub] = resource.split('/');
  if (main !== '*' && main !== ownMain) return false;
  return sub === '*' || sub === ownSub;
}

function selectorsMatch(webhook: Webhook, { namespace, labels }: Request): boolean {
  if (namespace !== undefined && !selectsNamespace(webhook.namespaceSelector, namespace)) return false;
  return labels === undefined || selects(webhook.objectSelector, labels);
}

/** Every namespace has its name as a label. Other labels may be unknown; then webhooks that select on them are not reported. */
function selectsNamespace(selector: Selector, { name, labels }: NonNullable<Request['namespace']>): boolean {
  if (labels === undefined && selector.some(({ key }) => key !== NAME_LABEL)) return false;
  return selects(selector, { ...labels, [NAME_LABEL]: name });
}

const NAME_LABEL = 'kubernetes.io/metadata.name';
