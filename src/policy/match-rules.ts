import type { JsonObject } from '../json/json.ts';
import type { Attributes, GroupVersionResource } from './attributes.ts';
import { equivalentResources, type KindVersions } from './equivalent-resources.ts';

/** A `RuleWithOperations`, of webhooks and of policies. */
export interface Rule {
  readonly operations?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly resources?: readonly string[];
  readonly scope?: string;
  /** Of policies only. */
  readonly resourceNames?: readonly string[];
}

/** The resource that rules match: the request's own, or an equivalent one to which the object is to be converted. */
export interface RuleMatch {
  readonly resource: GroupVersionResource;
  readonly isEquivalent: boolean;
}

/** By the order of the API server: an exact rule anywhere in the list precedes every equivalent one. */
export function matchRules(
  rules: readonly Rule[],
  request: Attributes,
  matchPolicy: string,
  versions: KindVersions,
): RuleMatch | undefined {
  if (rules.some((rule) => matchesRule(rule, request, request.resource))) {
    return { resource: request.resource, isEquivalent: false };
  }
  if (matchPolicy === 'Exact') return undefined;
  const equivalents = equivalentResources(request.resource, versions);
  for (const rule of rules) {
    for (const resource of equivalents) {
      if (matchesRule(rule, request, resource)) return { resource, isEquivalent: true };
    }
  }
  return undefined;
}

export function matchesRule(rule: Rule, request: Attributes, resource: GroupVersionResource): boolean {
  return (
    matchesScope(rule.scope ?? '*', request) &&
    includes(rule.operations, request.operation) &&
    includes(rule.apiGroups, resource.group) &&
    includes(rule.apiVersions, resource.version) &&
    (rule.resources ?? []).some((pattern) =>
      matchesResource(pattern, resource.resource, request.subresource),
    ) &&
    matchesName(rule.resourceNames ?? [], request.name)
  );
}

function matchesScope(scope: string, { namespace, resource }: Attributes): boolean {
  const isNamespaced = namespace !== '' && !isNamespaces(resource);
  return scope === '*' || (scope === 'Namespaced') === isNamespaced;
}

export function isNamespaces({ group, resource }: GroupVersionResource): boolean {
  return group === '' && resource === 'namespaces';
}

function includes(list: readonly string[] | undefined, value: string): boolean {
  return list !== undefined && (list.includes('*') || list.includes(value));
}

/** `pods` is the resource alone; `pods/*` is the resource and its subresources. */
function matchesResource(pattern: string, resource: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const wantedResource = slash < 0 ? pattern : pattern.slice(0, slash);
  const wantedSubresource = slash < 0 ? '' : pattern.slice(slash + 1);
  return (
    (wantedResource === '*' || wantedResource === resource) &&
    (wantedSubresource === '*' || wantedSubresource === subresource)
  );
}

function matchesName(names: readonly string[], name: string): boolean {
  return names.length === 0 || names.includes(name);
}

/** Rules of a configuration or policy; other values are ignored. */
export function rulesOf(value: unknown): readonly Rule[] {
  return Array.isArray(value) ? (value as readonly JsonObject[] as readonly Rule[]) : [];
}
