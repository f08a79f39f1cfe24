import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { itemsOf, membersOf } from '../../kube/json-parts.ts';
import { asJson, labelsOf } from '../../kube/kube-object.ts';
import type { Inventory } from './inventory.ts';
import type { Source } from './source.ts';
import { stringsOf, textOf } from './text.ts';

/** One rule of a role that a binding grants to one subject. */
export interface Grant {
  readonly binding: Source;
  readonly role: string;
  readonly subject: Subject;
  /** The namespace of a RoleBinding; undefined if it is granted everywhere. */
  readonly namespace: string | undefined;
  readonly groups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Empty if not limited to some objects. */
  readonly names: readonly string[];
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** What RBAC allows, without the roles that every cluster has. */
export function grantsOf(inventory: Inventory): Grant[] {
  const cluster = inventory.list('ClusterRoleBinding').map((binding) => ({ binding, namespace: undefined }));
  const local = inventory
    .list('RoleBinding')
    .map((binding) => ({ binding, namespace: binding.object.metadata.namespace ?? 'default' }));
  return [...cluster, ...local].flatMap(({ binding, namespace }) => {
    // The control plane's own, which it restores if they are changed.
    if (labelsOf(binding.object)['kubernetes.io/bootstrapping'] !== undefined) return [];
    const { roleRef, subjects } = asJson(binding.object);
    const { kind, name: role } = membersOf(roleRef);
    const found = inventory.find(textOf(kind), kind === 'Role' ? namespace : undefined, textOf(role));
    return itemsOf(subjects)
      .filter(isJsonObject)
      .flatMap((subject) =>
        rulesOf(found, textOf(role)).map((rule) => ({
          binding,
          role: textOf(role),
          subject: readSubject(subject),
          namespace,
          groups: stringsOf(rule.apiGroups),
          resources: stringsOf(rule.resources),
          verbs: stringsOf(rule.verbs),
          names: stringsOf(rule.resourceNames),
        })),
      );
  });
}

function rulesOf(role: Source | undefined, name: string): JsonObject[] {
  if (role !== undefined) return itemsOf(asJson(role.object).rules).filter(isJsonObject);
  return Object.hasOwn(KNOWN_ROLES, name) ? (KNOWN_ROLES[name] ?? []) : [];
}

/** Roles of every cluster, for files that bind them without containing them. Only those that rules need. */
const KNOWN_ROLES: { readonly [name: string]: JsonObject[] } = {
  'cluster-admin': [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  admin: [
    { apiGroups: ['', 'apps', 'batch'], resources: ['*'], verbs: ['create', 'update', 'patch', 'delete'] },
  ],
  edit: [
    { apiGroups: ['', 'apps', 'batch'], resources: ['*'], verbs: ['create', 'update', 'patch', 'delete'] },
  ],
};

function readSubject({ kind, name, namespace }: JsonObject): Subject {
  return { kind: textOf(kind), name: textOf(name), namespace: textOf(namespace) };
}

const WRITES = ['create', 'update', 'patch', 'delete', 'deletecollection'];

/** The writing verbs that a grant allows on a resource. */
export function writesTo({ groups, resources, verbs }: Grant, group: string, resource: string): string[] {
  if (!groups.includes(group) && !groups.includes('*')) return [];
  if (!resources.includes(resource) && !resources.includes('*')) return [];
  return verbs.includes('*') ? WRITES : verbs.filter((verb) => WRITES.includes(verb));
}

/** Members of `system:masters` may do everything, and controllers of the control plane have their own roles. */
export function isAdministrator({ kind, name, namespace }: Subject): boolean {
  if (kind === 'Group') return name === 'system:masters' || name === 'kubeadm:cluster-admins';
  if (kind === 'User') return name === 'kubernetes-admin' || name.startsWith('system:kube-');
  return kind === 'ServiceAccount' && namespace === 'kube-system';
}

/** Everyone, or everyone with an account. */
export function isCrowd({ kind, name }: Subject): boolean {
  return (
    kind === 'Group' &&
    ['system:authenticated', 'system:unauthenticated', 'system:serviceaccounts'].includes(name)
  );
}

export function subjectText({ kind, name, namespace }: Subject): string {
  return kind === 'ServiceAccount' ? `ServiceAccount "${namespace}/${name}"` : `${kind} "${name}"`;
}
