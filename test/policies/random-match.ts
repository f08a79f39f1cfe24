import fc from 'fast-check';
import type { JsonObject } from '../../src/json/json.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import type { UserInfo } from '../../src/policy/attributes.ts';

/** Each member is often absent. */
const record = (members: { readonly [name: string]: fc.Arbitrary<unknown> }) =>
  fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>;
const few = <T>(...values: readonly T[]) => fc.subarray([...values], { maxLength: 2 });

/** Characters that mean something in regular expressions and in CEL's texts. */
const NAMES = ['web', 'web-1', 'db', 'a.b', 'a+b', "o'neil", 'web(1)', 'two\nlines', 'wéb', ''];
const PATTERNS = [
  '*',
  'web',
  'web-*',
  '*b',
  'w*1',
  'a.b',
  'a*b',
  'a+b',
  "o'*",
  'w*(1)',
  't*s',
  '*\n*',
  'w*b',
  '',
  '**',
  'x|web',
  '^web$',
  '\\w*',
];
const USERS = ['ann', 'ann@example.com', 'system:serviceaccount:shop:builder', 'O\'Neil "x" \\ y', ''];
const USER_PATTERNS = ['ann', 'ann*', 'system:*', 'system:serviceaccount:*:builder', "O'Neil *", '*\\*', '*'];
const GROUPS = ['ops', 'system:authenticated', 'a.b'];
const GROUP_PATTERNS = ['ops', 'o*', 'system:*', 'a*b', 'axb', '*'];
const KEYS = ['app', 'example.com/x', "it's"];

const values = fc.constantFrom('web', 'db', '', 'y');
const pairs = fc.dictionary(fc.constantFrom(...KEYS), values, { maxKeys: 2 });
const selector = (keys: readonly string[], texts: readonly string[]) => {
  const requirement = fc.oneof(
    fc.record({
      key: fc.constantFrom(...keys),
      operator: fc.constantFrom('In', 'NotIn'),
      values: fc.subarray([...texts], { minLength: 1 }),
    }),
    fc.record({ key: fc.constantFrom(...keys), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
  );
  return record({
    matchLabels: fc.dictionary(fc.constantFrom(...keys), fc.constantFrom(...texts), { maxKeys: 1 }),
    matchExpressions: fc.array(requirement, { maxLength: 2 }),
  });
};

const CONDITIONS = [
  'true // always',
  "object.metadata.?labels['app'].orValue('') != 'db'",
  "object.metadata.labels['app'] == 'web'",
  'has(object.metadata.annotations)',
  "request.operation == 'CREATE'",
  'object.spec.nope == 1',
];
const KINDS = ['Pod', 'Deployment', 'ConfigMap', 'Namespace', 'ClusterRole'];

const identities: { readonly [field: string]: fc.Arbitrary<unknown> } = {
  namespaces: few('shop', 'prod-*', '*-1', 'kube-*', '*'),
  names: few(...PATTERNS),
  users: few(...USER_PATTERNS),
  groups: few(...GROUP_PATTERNS),
  objectSelector: selector(KEYS, ['web', 'db', '', 'y']),
  hasAnnotations: few(...KEYS),
};
const fields: typeof identities = {
  ...identities,
  namespaceSelector: selector(['team', 'example.com/x', 'kubernetes.io/metadata.name'], ['a', 'y', 'shop']),
  annotations: pairs,
  exclude: record(identities),
  conditions: fc.subarray(CONDITIONS, { minLength: 1, maxLength: 3 }),
};

/** As it is written in the configuration. With more fields, nearly no request would match. */
export const randomMatch: fc.Arbitrary<JsonObject> = fc
  .tuple(
    fc.oneof(fc.subarray(KINDS, { minLength: 3 }), fc.constant(['*'])),
    fc.constantFrom(['CREATE'], ['CREATE', 'UPDATE'], ['*']),
    fc.subarray(Object.keys(fields), { maxLength: 3 }),
    fc.record(fields) as fc.Arbitrary<JsonObject>,
  )
  .map(([kinds, operations, chosen, all]) => ({
    kinds,
    operations,
    ...Object.fromEntries(chosen.map((field) => [field, all[field] ?? null])),
  }));

const MIRROR = 'kubernetes.io/config.mirror';
const metadata = fc
  .tuple(
    fc.oneof(
      fc.constantFrom(...NAMES).map((name) => ({ name })),
      fc.constantFrom('web-', 'db').map((generateName) => ({ generateName })),
      fc.constantFrom('web-', 'db').map((generateName) => ({ name: '', generateName })),
    ),
    fc.constantFrom('shop', 'prod-1', 'kube-system'),
    record({ labels: pairs, annotations: pairs }),
    fc.constantFrom({ [MIRROR]: 'x' }, undefined, undefined, undefined, undefined),
  )
  .map(([own, namespace, { labels, annotations }, mirror]) => ({
    ...own,
    namespace,
    ...(labels !== undefined && { labels }),
    ...((annotations !== undefined || mirror) && { annotations: { ...(annotations as object), ...mirror } }),
  }));

const CONTENTS: { readonly [kind: string]: JsonObject } = {
  Pod: { apiVersion: 'v1', spec: { containers: [{ name: 'web', image: 'nginx' }] } },
  Deployment: {
    apiVersion: 'apps/v1',
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'web', image: 'nginx' }] },
      },
    },
  },
  ConfigMap: { apiVersion: 'v1', data: {} },
  Namespace: { apiVersion: 'v1' },
  ClusterRole: { apiVersion: 'rbac.authorization.k8s.io/v1', rules: [] },
};

export const randomObject: fc.Arbitrary<KubeObject> = fc
  .tuple(fc.constantFrom(...KINDS), metadata)
  .map(([kind, { namespace, ...own }]) => {
    const isNamespaced = kind !== 'Namespace' && kind !== 'ClusterRole';
    const content = { kind, ...CONTENTS[kind], metadata: isNamespaced ? { ...own, namespace } : own };
    if (kind === 'Namespace') {
      // The API server sets the label.
      const labels = { ...(own.labels as JsonObject | undefined), 'kubernetes.io/metadata.name': namespace };
      return { ...content, metadata: { ...own, name: namespace, labels } } as unknown as KubeObject;
    }
    return content as unknown as KubeObject;
  });

export const randomUser: fc.Arbitrary<UserInfo> = fc
  .tuple(fc.constantFrom(...USERS), fc.option(few(...GROUPS), { nil: undefined }))
  .map(([username, groups]) => ({ username, ...(groups && { groups }) }));
