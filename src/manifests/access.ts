import { builtin, type ResourceRef } from '../kube/resource.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { FieldComment, Manifest } from './manifest.ts';
import { labelsFor, type ManifestSettings, metadataFor } from './settings.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** The ServiceAccount, and the least that it must be allowed to. */
export function access(settings: ManifestSettings): readonly Manifest[] {
  const { name, namespace, tls } = settings;
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  const bindingOf = (kind: 'ClusterRole' | 'Role') => ({
    roleRef: { apiGroup: RBAC, kind, name },
    subjects,
  });
  return [
    { object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadataFor(settings) } },
    clusterRole(settings),
    {
      object: {
        apiVersion: `${RBAC}/v1`,
        kind: 'ClusterRoleBinding',
        metadata: { name, labels: labelsFor(settings) },
        ...bindingOf('ClusterRole'),
      },
    },
    ...(tls.mode === 'self-managed'
      ? [
          secretRole(settings, tls.secret),
          {
            object: {
              apiVersion: `${RBAC}/v1`,
              kind: 'RoleBinding',
              metadata: metadataFor(settings),
              ...bindingOf('Role'),
            },
          },
        ]
      : []),
  ];
}

export interface ReadRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Who reads it. */
  readonly readers: readonly string[];
}

/** What the live view watches: the kinds that injectors declare, and Namespaces for their labels. */
export function readRules({ stages }: Pipeline): readonly ReadRule[] {
  const kinds = new Map<string, { readonly ref: ResourceRef; readonly readers: Set<string> }>();
  const add = (ref: ResourceRef, reader: string) => {
    const key = `${ref.resource}.${ref.group}`;
    const kind = kinds.get(key) ?? { ref, readers: new Set<string>() };
    kind.readers.add(reader);
    kinds.set(key, kind);
  };
  add(builtin('Namespace'), 'podgraft itself, for namespaceSelectors');
  for (const { name, injector } of stages) for (const ref of injector.reads ?? []) add(ref, name);
  return [...kinds.values()].map(({ ref, readers }) => ({
    apiGroups: [ref.group],
    resources: [ref.resource],
    verbs: ['get', 'list', 'watch'],
    readers: [...readers],
  }));
}

function clusterRole(settings: ManifestSettings): Manifest {
  const { name, tls, pipeline } = settings;
  const reads = readRules(pipeline);
  const own = {
    apiGroups: ['admissionregistration.k8s.io'],
    resources: ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
    resourceNames: [name],
    verbs: ['get', 'watch', 'patch'],
  };
  const isSelfManaged = tls.mode === 'self-managed';
  return {
    purpose: 'Reading only what the configured injectors read.',
    object: {
      apiVersion: `${RBAC}/v1`,
      kind: 'ClusterRole',
      metadata: { name, labels: labelsFor(settings) },
      rules: [...reads.map(({ readers: _, ...rule }) => rule), ...(isSelfManaged ? [own] : [])],
    },
    comments: [
      ...reads.map(({ readers }, index): FieldComment => [['rules', index], `For ${readers.join(', ')}.`]),
      ...(isSelfManaged
        ? [[['rules', reads.length], 'To write caBundle, into its own configurations.'] as const]
        : []),
    ],
  };
}

function secretRole(settings: ManifestSettings, secret: string): Manifest {
  const secrets = { apiGroups: [''], resources: ['secrets'] };
  return {
    purpose: 'The one Secret in which all replicas share CA and certificate.',
    object: {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: metadataFor(settings),
      rules: [
        { ...secrets, resourceNames: [secret], verbs: ['get', 'watch', 'update'] },
        { ...secrets, verbs: ['create'] },
      ],
    },
    comments: [
      [['rules', 1], 'Should it be deleted, podgraft makes it anew. "create" cannot be limited to a name.'],
    ],
  };
}
