import type { KubeObject } from '../kube/kube-object.ts';
import type { FieldComment, Manifest } from './manifest.ts';
import { type NamespaceRules, type ReadRule, readRules } from './read-rules.ts';
import { labelsFor, type ManifestSettings, metadataFor } from './settings.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** The ServiceAccount, and the least that it must be allowed to. */
export function access(settings: ManifestSettings): readonly Manifest[] {
  const { name, pipeline, tls } = settings;
  const { everywhere, inNamespaces } = readRules(pipeline);
  return [
    { object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: metadataFor(settings) } },
    clusterRole(settings, everywhere),
    binding(settings, 'ClusterRole', { name, labels: labelsFor(settings) }),
    ...inNamespaces.flatMap((place) => {
      const role = namespaceRole(settings, place);
      return [role, binding(settings, 'Role', role.object.metadata)];
    }),
    ...(tls.mode === 'self-managed'
      ? [secretRole(settings, tls.secret), binding(settings, 'Role', metadataFor(settings))]
      : []),
  ];
}

/** Of the role that has the same metadata. */
function binding(
  { name, namespace }: ManifestSettings,
  kind: 'ClusterRole' | 'Role',
  metadata: KubeObject['metadata'],
): Manifest {
  return {
    object: {
      apiVersion: `${RBAC}/v1`,
      kind: `${kind}Binding`,
      metadata,
      roleRef: { apiGroup: RBAC, kind, name: metadata.name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  };
}

function clusterRole(settings: ManifestSettings, reads: readonly ReadRule[]): Manifest {
  const { name, tls } = settings;
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
      rules: [...reads.map(withoutReaders), ...(isSelfManaged ? [own] : [])],
    },
    comments: [
      ...reads.map(commentOnReaders),
      ...(isSelfManaged
        ? [[['rules', reads.length], 'To write caBundle, into its own configurations.'] as const]
        : []),
    ],
  };
}

/** Its name is not that of the role for the Secret, which may be in the same namespace. */
function namespaceRole(settings: ManifestSettings, { namespace, rules }: NamespaceRules): Manifest {
  const { name } = settings;
  return {
    purpose:
      'What is read in one namespace only. It has to be there: it is not podgraft that makes or deletes it.',
    object: {
      apiVersion: `${RBAC}/v1`,
      kind: 'Role',
      metadata: { name: `${name}-reads`, namespace, labels: labelsFor(settings) },
      rules: rules.map(withoutReaders),
    },
    comments: rules.map(commentOnReaders),
  };
}

function withoutReaders({ readers: _, ...rule }: ReadRule) {
  return rule;
}

function commentOnReaders({ readers }: ReadRule, index: number): FieldComment {
  return [['rules', index], `For ${readers.join(', ')}.`];
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
