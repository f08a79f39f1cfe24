import type { GroupVersionResource } from './attributes.ts';

/** The served versions of each custom resource, by `resource.group`. */
export type KindVersions = ReadonlyMap<string, readonly string[]>;

/** Other versions of a resource, and other groups that share its storage. */
export function equivalentResources(
  { group, version, resource }: GroupVersionResource,
  versions: KindVersions,
): readonly GroupVersionResource[] {
  const served = versions.get(`${resource}.${group}`) ?? builtin[`${resource}.${group}`] ?? [];
  const others = served
    .filter((other) => other !== version)
    .map((other) => ({ group, version: other, resource }));
  const shared = sharedStorage[`${resource}.${group}`];
  return shared === undefined ? others : [...others, shared];
}

/** Resources of Kubernetes 1.36 that are served in several versions by default. */
const builtin: { readonly [resource: string]: readonly string[] } = {
  'horizontalpodautoscalers.autoscaling': ['v1', 'v2'],
};

const sharedStorage: { readonly [resource: string]: GroupVersionResource } = {
  'events.': { group: 'events.k8s.io', version: 'v1', resource: 'events' },
  'events.events.k8s.io': { group: '', version: 'v1', resource: 'events' },
};
