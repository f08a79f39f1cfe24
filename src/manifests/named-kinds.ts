import { type ResourceRef, resourceOf, resourcesOfKind } from '../kube/resource.ts';
import type { Stage } from '../pipeline/pipeline.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { KindRule } from '../sdk/match.ts';

/**
 * Replaces a stage for all kinds by stages for the kinds that its objects are for. It stays as it is if the configuration
 * names the kinds, or if objects for other kinds may be created at any time.
 */
export function withNamedKinds(stages: readonly Stage[], cluster: ClusterView | undefined): readonly Stage[] {
  return stages.flatMap((stage) => {
    const { injector, config, match } = stage;
    const rules = match.kinds.includes('*') ? injector.kindsFrom?.(config, cluster) : undefined;
    if (rules === undefined) return [stage];
    return rules.flatMap((rule) => {
      const operations = rule.operations.filter(
        (each) => match.operations.includes(each) || match.operations.includes('*'),
      );
      return kindsOf(rule).map((kind) => ({ ...stage, match: { ...match, kinds: [kind], operations } }));
    });
  });
}

/** All kinds of a group: of custom resources only the API server knows the plural. */
export function wholeGroup(group: string): ResourceRef {
  return { group, version: '*', kind: '*', resource: '*', namespaced: false };
}

export function isWholeGroup({ resource }: ResourceRef): boolean {
  return resource === '*';
}

function kindsOf({ group, versions, kind }: KindRule): readonly (ResourceRef | '*')[] {
  if (kind === '*') return group === '*' || group === '' ? ['*'] : [wholeGroup(group)];
  if (group === '*') {
    const known = resourcesOfKind(kind);
    return known.length === 0 ? ['*'] : known;
  }
  const ref = resourceOf(group, kind);
  // The core group has no custom resources.
  if (ref === undefined) return group === '' ? [] : [wholeGroup(group)];
  return versions.length === 0 ? [ref] : versions.map((version) => ({ ...ref, version }));
}
