import type { JsonObject, KubeObject } from '../../../sdk/index.ts';
import { MUTATIONS_GROUP, MUTATOR_KINDS, MUTATORS, type MutatorKind, PROVIDER } from './resources.ts';

/** CustomResourceDefinitions for clusters without Gatekeeper. */
export function resourceDefinitions(): readonly KubeObject[] {
  return [
    ...MUTATOR_KINDS.map((kind) =>
      definition({
        group: MUTATIONS_GROUP,
        kind,
        plural: MUTATORS[kind].resource,
        versions: kind === 'AssignImage' ? ['v1alpha1'] : ['v1', 'v1beta1', 'v1alpha1'],
        spec: map({
          match: MATCH,
          location: TEXT,
          parameters: map(PARAMETERS[kind]),
          ...(kind !== 'AssignMetadata' && { applyTo: APPLY_TO }),
        }),
        columns: [{ name: 'Location', type: 'string', jsonPath: '.spec.location' }],
      }),
    ),
    definition({
      group: PROVIDER.group,
      kind: PROVIDER.kind,
      plural: PROVIDER.resource,
      versions: ['v1beta1', 'v1alpha1'],
      spec: map({ url: TEXT, timeout: { type: 'integer' }, caBundle: TEXT }),
      columns: [{ name: 'URL', type: 'string', jsonPath: '.spec.url' }],
    }),
  ];
}

interface Definition {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** The first one is stored. */
  readonly versions: readonly string[];
  readonly spec: JsonObject;
  readonly columns: readonly JsonObject[];
}

const TEXT: JsonObject = { type: 'string' };
const ANYTHING: JsonObject = { 'x-kubernetes-preserve-unknown-fields': true };
const TEXTS = list(TEXT);
const WILDCARD: JsonObject = { type: 'string', pattern: '^\\*?[-:a-z0-9]*\\*?$' };

const SELECTOR = map({
  matchLabels: { type: 'object', additionalProperties: TEXT },
  matchExpressions: list({
    ...map({ key: TEXT, operator: TEXT, values: TEXTS }),
    required: ['key', 'operator'],
  }),
});

const MATCH = map({
  source: oneOf('All', 'Generated', 'Original'),
  kinds: list(map({ apiGroups: TEXTS, kinds: TEXTS })),
  scope: TEXT,
  namespaces: list(WILDCARD),
  excludedNamespaces: list(WILDCARD),
  labelSelector: SELECTOR,
  namespaceSelector: SELECTOR,
  name: WILDCARD,
});

const APPLY_TO = list(
  map({ groups: TEXTS, versions: TEXTS, kinds: TEXTS, operations: list(oneOf('CREATE', 'UPDATE', '*')) }),
);

const PATH_TESTS = list(map({ subPath: TEXT, condition: oneOf('MustExist', 'MustNotExist') }));

const ASSIGN = map({
  value: ANYTHING,
  fromMetadata: map({ field: oneOf('name', 'namespace') }),
  externalData: map({
    provider: TEXT,
    dataSource: { ...oneOf('ValueAtLocation', 'Username'), default: 'ValueAtLocation' },
    failurePolicy: { ...oneOf('Fail', 'Ignore', 'UseDefault'), default: 'Fail' },
    default: TEXT,
  }),
});

const PARAMETERS: { readonly [K in MutatorKind]: JsonObject } = {
  Assign: { assign: ASSIGN, pathTests: PATH_TESTS },
  AssignImage: { assignDomain: TEXT, assignPath: TEXT, assignTag: TEXT, pathTests: PATH_TESTS },
  AssignMetadata: { assign: ASSIGN },
  ModifySet: {
    operation: { ...oneOf('merge', 'prune'), default: 'merge' },
    values: { type: 'object', ...ANYTHING },
    pathTests: PATH_TESTS,
  },
};

function map(properties: JsonObject): JsonObject {
  return { type: 'object', properties };
}

function list(items: JsonObject): JsonObject {
  return { type: 'array', items };
}

function oneOf(...values: readonly string[]): JsonObject {
  return { type: 'string', enum: values };
}

function definition({ group, kind, plural, versions, spec, columns }: Definition): KubeObject {
  const schema = {
    openAPIV3Schema: map({
      apiVersion: TEXT,
      kind: TEXT,
      // Gatekeeper's status of a mutator has its name as a label.
      metadata: map({ name: { type: 'string', maxLength: 63 } }),
      spec,
      status: { type: 'object', ...ANYTHING },
    }),
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular: plural.replace(/s$/, '') },
      scope: 'Cluster',
      versions: versions.map((name, index) => ({
        name,
        served: true,
        storage: index === 0,
        schema,
        subresources: { status: {} },
        additionalPrinterColumns: columns,
      })),
    },
  } as KubeObject;
}
