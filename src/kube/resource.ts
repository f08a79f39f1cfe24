import { closest } from '../closest.ts';
import { resourceRows } from './generated/resources.ts';

/** A kind of object and where the API serves it. */
export interface ResourceRef {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
}

const known: readonly ResourceRef[] = resourceRows.map(([kind, group, version, resource, namespaced]) => ({
  kind,
  group,
  version,
  resource,
  namespaced,
}));

/** By `Pod` or `Deployment` or, for a kind of several groups, `Event.events.k8s.io`; undefined unless Kubernetes defines it. */
export function knownResource(name: string): ResourceRef | undefined {
  const [kind = '', ...group] = name.split('.');
  if (group.length === 0) return known.find((ref) => ref.kind === kind);
  return resourceOf(group.join('.'), kind);
}

/** Why there is no known resource of this name. */
export function unknownKind(name: string): string {
  const guess = similarKind(name);
  const hint =
    guess === undefined
      ? ': for a custom resource write {group, version, kind, resource, namespaced}'
      : `, did you mean "${guess}"?`;
  return `unknown kind "${name}"${hint}`;
}

/** The kind that was probably meant: `pods`, `deployments` and `Deploment` are common mistakes. */
function similarKind(name: string): string | undefined {
  const word = name.toLowerCase();
  const plural = known.find(({ resource, kind }) => resource === word || kind.toLowerCase() === word);
  return (plural ?? known.find(({ kind }) => kind === closest(name, KINDS)))?.kind;
}

const KINDS: readonly string[] = known.map(({ kind }) => kind);

/** Undefined unless Kubernetes defines it. */
export function resourceOf(group: string, kind: string): ResourceRef | undefined {
  return known.find((ref) => ref.kind === kind && ref.group === group);
}

/** Kubernetes' own kinds that rules name without wildcards. */
export function resourcesServed(
  groups: readonly string[] = [],
  versions: readonly string[] = [],
  resources: readonly string[] = [],
): readonly ResourceRef[] {
  return known.filter(
    ({ group, version, resource }) =>
      groups.includes(group) && versions.includes(version) && resources.includes(resource),
  );
}

/** Kubernetes' own kinds of a name, which may be in several groups. */
export function resourcesOfKind(kind: string): readonly ResourceRef[] {
  return known.filter((ref) => ref.kind === kind);
}

/** A kind that Kubernetes defines, for declarations in code. */
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
