import { type Attributes, describeRequest } from './attributes.ts';
import type { ClusterObjects } from './cluster-objects.ts';
import { matchRules, type RuleMatch } from './match-rules.ts';
import { matchesNamespaceSelector, matchesObjectSelector } from './match-selectors.ts';
import type { MatchResources } from './policy.ts';
import type { Skipped } from './policy-trace.ts';
import { notFound, type Status } from './status.ts';

export type PolicyMatch = RuleMatch | Skipped | { readonly status: Status };

/** Whether a policy's `matchConstraints`, or a binding's `matchResources`, cover a request. */
export function matchResources(
  match: MatchResources,
  request: Attributes,
  cluster: ClusterObjects,
): PolicyMatch {
  const inNamespace = matchesNamespaceSelector(match.namespaceSelector, request, cluster.namespaceLabels);
  if (inNamespace === false) {
    return skipped('namespaceSelector', `the labels of namespace "${request.namespace}" do not match`);
  }
  if (!matchesObjectSelector(match.objectSelector, request.object, request.oldObject)) {
    return skipped('objectSelector', "the object's labels do not match");
  }
  if (isExcluded(match, request, cluster))
    return skipped('excludeResourceRules', 'a rule excludes the resource');
  const found =
    match.resourceRules.length === 0
      ? { resource: request.resource, isEquivalent: false }
      : matchRules(match.resourceRules, request, match.matchPolicy, cluster.versions);
  if (found === undefined)
    return skipped('rules', `no rule covers ${request.operation} of ${describeRequest(request)}`);
  return inNamespace === true ? found : { status: notFound('namespaces', '', inNamespace.missing) };
}

function isExcluded(
  { excludeResourceRules, matchPolicy }: MatchResources,
  request: Attributes,
  cluster: ClusterObjects,
): boolean {
  if (excludeResourceRules.length === 0) return false;
  return matchRules(excludeResourceRules, request, matchPolicy, cluster.versions) !== undefined;
}

function skipped(because: Skipped['because'], detail: string): Skipped {
  return { outcome: 'skipped', because, detail };
}

const UNSEEN = new Set(
  ['Validating', 'Mutating'].flatMap((type) => [
    `admissionregistration.k8s.io/${type.toLowerCase()}admissionpolicies`,
    `admissionregistration.k8s.io/${type.toLowerCase()}admissionpolicybindings`,
  ]),
);
const UNSEEN_REVIEWS = /^(authentication|authorization)\.k8s\.io\/.*reviews$/;

/** Policies and bindings, and reviews of tokens and access, which policies never see. */
export function isExemptFromPolicies({ resource }: Attributes): boolean {
  const name = `${resource.group}/${resource.resource}`;
  return UNSEEN.has(name) || UNSEEN_REVIEWS.test(name);
}
