import type { Environment, StructType } from './declarations.ts';
import { createEnvironment } from './environment.ts';
import { mutationLibrary } from './functions/kubernetes-library.ts';
import { BOOL, DYN, INT, listOf, mapOf, STRING, struct, TIMESTAMP, type Type } from './types.ts';
import { findMutationType } from './values/object-value.ts';

/** What an expression of an admission policy or webhook may use, besides `object`, `oldObject`, `request` and `namespaceObject`. */
export interface KubernetesEnvironmentOptions {
  readonly params?: boolean;
  readonly authorizer?: boolean;
  /** Types of `variables.x` by name, as `variableType` gives them; absent if there is no `variables`. */
  readonly variables?: Readonly<Record<string, Type>>;
  /** Whether `Object{…}`, `JSONPatch{…}` and `jsonpatch.escapeKey` exist. */
  readonly mutation?: boolean;
  /** Types of further variables, or other types of those above: a schema's type for `object`. */
  readonly types?: Readonly<Record<string, Type>>;
  /** Further struct types, such as those of a schema. */
  readonly findStruct?: (name: string) => StructType | undefined;
}

/** The environment in which Kubernetes 1.36 compiles the expressions of admission. */
export function kubernetesEnvironment(options: KubernetesEnvironmentOptions = {}): Environment {
  const { params, authorizer, variables, mutation, types, findStruct } = options;
  return createEnvironment({
    variables: {
      object: DYN,
      oldObject: DYN,
      request: struct('kubernetes.AdmissionRequest'),
      namespaceObject: struct('kubernetes.Namespace'),
      ...(params && { params: DYN }),
      ...(authorizer && {
        authorizer: struct('kubernetes.authorization.Authorizer'),
        'authorizer.requestResource': struct('kubernetes.authorization.ResourceCheck'),
      }),
      ...(variables && { variables: struct('kubernetes.variables') }),
      ...types,
    },
    structs: { ...STRUCTS, ...(variables && { 'kubernetes.variables': variables }) },
    ...(mutation && { functions: mutationLibrary }),
    findStruct: (name) => findStruct?.(name) ?? (mutation ? findMutationType(name) : undefined),
  });
}

/** The type of `variables.x` for a variable whose expression has this type. Types that only libraries have become dyn. */
export function variableType(type: Type | undefined): Type {
  if (type === undefined) return DYN;
  switch (type.kind) {
    case 'list':
      return listOf(variableType(type.parameters[0]));
    case 'map':
      return mapOf(variableType(type.parameters[0]), variableType(type.parameters[1]));
    case 'opaque':
    case 'struct':
    case 'type':
      return DYN;
    default:
      return type;
  }
}

const GROUP_VERSION_KIND = struct('kubernetes.GroupVersionKind');
const GROUP_VERSION_RESOURCE = struct('kubernetes.GroupVersionResource');

const STRUCTS: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  'kubernetes.AdmissionRequest': {
    kind: GROUP_VERSION_KIND,
    resource: GROUP_VERSION_RESOURCE,
    subResource: STRING,
    requestKind: GROUP_VERSION_KIND,
    requestResource: GROUP_VERSION_RESOURCE,
    requestSubResource: STRING,
    name: STRING,
    namespace: STRING,
    operation: STRING,
    userInfo: struct('kubernetes.UserInfo'),
    dryRun: BOOL,
    options: DYN,
  },
  'kubernetes.GroupVersionKind': { group: STRING, version: STRING, kind: STRING },
  'kubernetes.GroupVersionResource': { group: STRING, version: STRING, resource: STRING },
  'kubernetes.UserInfo': {
    username: STRING,
    uid: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  },
  'kubernetes.Namespace': {
    metadata: struct('kubernetes.NamespaceMetadata'),
    spec: struct('kubernetes.NamespaceSpec'),
    status: struct('kubernetes.NamespaceStatus'),
  },
  'kubernetes.NamespaceMetadata': {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  },
  'kubernetes.NamespaceSpec': { finalizers: listOf(STRING) },
  'kubernetes.NamespaceStatus': {
    conditions: listOf(struct('kubernetes.NamespaceCondition')),
    phase: STRING,
  },
  'kubernetes.NamespaceCondition': {
    status: STRING,
    type: STRING,
    lastTransitionTime: TIMESTAMP,
    message: STRING,
    reason: STRING,
  },
};
