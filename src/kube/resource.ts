import { resourceRows } from './generated/resources.ts';

/** A kind of object and where the API serves it. */
export interface ResourceRef {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

/** Objects to look up, and how much of them. */
export interface ReadRef extends ResourceRef {
  /** Only those of this namespace; of all where it is left out. */
  readonly namespace?: string;
  /** Only what has this name; all where it is left out. */
  readonly name?: string;
  /**
   * What to keep beside apiVersion, kind and metadata: fields, `spec`, or fields of these, `status.nodeInfo`; all but `status`
   * where it is left out.
   */
  readonly fields?: readonly string[];
}

/** One object of the cluster; without namespace for cluster-scoped kinds. */
export interface ObjectRef {
  readonly ref: ResourceRef;
  readonly namespace?: string;
  readonly name: string;
}

const known: readonly ResourceRef[] = resourceRows.map(([kind, group, version, resource, namespaced]) => ({
  kind,
  group,
  version,
  resource,
  namespaced,
}));

/** `Pod`, `Deployment` or, where a kind stands in several groups, `Event.events.k8s.io`; undefined if it is none of Kubernetes' own. */
export function knownResource(name: string): ResourceRef | undefined {
  const [kind = '', ...group] = name.split('.');
  if (group.length === 0) return known.find((ref) => ref.kind === kind);
  return resourceOf(group.join('.'), kind);
}

/** Undefined if it is none of Kubernetes' own. */
export function resourceOf(group: string, kind: string): ResourceRef | undefined {
  return known.find((ref) => ref.kind === kind && ref.group === group);
}

/** A built-in kind that must exist: for declarations in our own code. */
export function builtin(name: string): ResourceRef {
  const ref = knownResource(name);
  if (ref === undefined) throw new TypeError(`No built-in kind "${name}"`);
  return ref;
}

export function apiVersionOf(ref: { readonly group: string; readonly version: string }): string {
  return ref.group === '' ? ref.version : `${ref.group}/${ref.version}`;
}

/** `apps/v1` → `apps`, `v1` → ``. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
