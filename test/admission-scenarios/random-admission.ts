import type { JsonObject } from '../../src/json/json.ts';
import type { Random } from '../fuzz/random.ts';
import type { HookBehaviour, Scenario, ScenarioRequest } from './scenario.ts';

/** Random configurations, the answers of their webhooks, and requests that meet them. */
export interface RandomAdmission {
  readonly configurations: readonly JsonObject[];
  readonly hooks: NonNullable<Scenario['hooks']>;
  readonly requests: readonly ScenarioRequest[];
}

/** The namespaces of requests, with the labels that selectors use. */
export const NAMESPACES = { 'diff-a': { team: 'a' }, 'diff-b': { team: 'b', inject: 'yes' } } as const;

export function randomAdmission(random: Random, requests: number): RandomAdmission {
  const hooks: Record<string, HookBehaviour | HookBehaviour[]> = {};
  const mutating = Array.from({ length: 1 + random.int(3) }, (_, index) =>
    webhookConfiguration(random, 'Mutating', `m${index}`, hooks),
  );
  // Of several simultaneous denials, the first to arrive counts: one is enough.
  const validating = random.chance(0.6) ? [webhookConfiguration(random, 'Validating', 'v0', hooks)] : [];
  // Policies run in random order: one of each kind.
  const policies = [
    ...(random.chance(0.5) ? mutatingPolicy(random) : []),
    ...(random.chance(0.5) ? validatingPolicy(random) : []),
  ];
  return {
    configurations: random.shuffled([...mutating, ...validating, ...policies]),
    hooks,
    requests: Array.from({ length: requests }, (_, index) => randomRequest(random, index)),
  };
}

function webhookConfiguration(
  random: Random,
  type: 'Mutating' | 'Validating',
  name: string,
  hooks: Record<string, HookBehaviour | HookBehaviour[]>,
): JsonObject {
  const count = type === 'Validating' ? 1 : 1 + random.int(2);
  const webhooks = Array.from({ length: count }, (_, index) => {
    const hook = `${name}-${index}`;
    hooks[hook] = type === 'Mutating' ? mutatingAnswers(random, hook) : validatingAnswer(random);
    return {
      name: `${hook}.example.com`,
      clientConfig: { url: `https://127.0.0.1:16444/${hook}` },
      rules: [randomRule(random)],
      sideEffects: 'None',
      admissionReviewVersions: random.pick([['v1'], ['v1beta1', 'v1'], ['v1', 'v1beta1']]),
      failurePolicy: random.pick(['Fail', 'Ignore']),
      ...(random.chance(0.3) && { namespaceSelector: random.pick(NAMESPACE_SELECTORS) }),
      ...(random.chance(0.3) && { objectSelector: random.pick(OBJECT_SELECTORS) }),
      ...(random.chance(0.3) && { matchConditions: [{ name: 'c', expression: random.pick(CONDITIONS) }] }),
      ...(type === 'Mutating' && random.chance(0.5) && { reinvocationPolicy: 'IfNeeded' }),
    };
  });
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: `${type}WebhookConfiguration`,
    metadata: { name: `diff-${name}` },
    webhooks,
  };
}

const NAMESPACE_SELECTORS: readonly JsonObject[] = [
  { matchLabels: { team: 'a' } },
  { matchExpressions: [{ key: 'inject', operator: 'NotIn', values: ['yes'] }] },
  { matchExpressions: [{ key: 'inject', operator: 'Exists' }] },
];
const OBJECT_SELECTORS: readonly JsonObject[] = [
  { matchLabels: { app: 'web' } },
  { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
];
const CONDITIONS = [
  "request.operation == 'CREATE'",
  "has(object.metadata.labels) && object.metadata.labels.exists(k, k == 'app')",
  "object.metadata.labels['app'] == 'web'",
  "object.metadata.?annotations['a'].orValue('') != 'x'",
];

/** Only what these tests create: the API server also makes its own requests. */
function randomRule(random: Random): JsonObject {
  return {
    operations: random.pick([['CREATE'], ['UPDATE'], ['CREATE', 'UPDATE'], ['CREATE', 'UPDATE', 'DELETE']]),
    apiGroups: random.pick([[''], ['', 'apps'], ['apps', '']]),
    apiVersions: ['v1'],
    resources: random.pick([
      ['pods'],
      ['configmaps'],
      ['pods', 'configmaps'],
      ['pods/*'],
      ['deployments', 'pods'],
      ['deployments', 'configmaps', 'pods'],
    ]),
    ...(random.chance(0.3) && { scope: random.pick(['*', 'Namespaced', 'Cluster']) }),
  };
}

/** Some answer a second call differently. */
function mutatingAnswers(random: Random, hook: string): HookBehaviour | HookBehaviour[] {
  const first = mutatingAnswer(random, hook);
  return random.chance(0.3) ? [first, mutatingAnswer(random, hook)] : first;
}

function mutatingAnswer(random: Random, hook: string): HookBehaviour {
  if (random.chance(0.08))
    return { allowed: false, status: { message: `${hook} says no`, code: 403, reason: 'Forbidden' } };
  if (random.chance(0.08)) return random.pick(BROKEN);
  return {
    ...(random.chance(0.7) && {
      patch: Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => random.pick(PATCHES)),
    }),
    ...(random.chance(0.3) && { warnings: random.pick(WARNINGS) }),
    ...(random.chance(0.3) && { auditAnnotations: { seen: hook, 'not a key': 'x' } }),
  };
}

function validatingAnswer(random: Random): HookBehaviour {
  if (random.chance(0.2)) return { allowed: false, status: { message: 'not valid' } };
  return random.chance(0.2) ? random.pick(BROKEN) : { warnings: random.pick(WARNINGS) };
}

const WARNINGS = [['one'], ['one', 'two', ''], ['with "quotes"'], ['line\nbreak', 'three']];
const BROKEN: readonly HookBehaviour[] = [
  { raw: '{}' },
  { responseOverrides: { uid: 'nope' } },
  { responseOverrides: { allowed: 'true' } },
  { patchType: 'JSONPatch' },
  { httpStatus: 500, headers: { 'content-type': 'text/plain' }, raw: 'boom' },
  { httpStatus: 404, headers: { 'content-type': 'text/plain' }, raw: '' },
];
/** For Pods and ConfigMaps, some of which they do not apply to. */
const PATCHES: readonly JsonObject[] = [
  { op: 'add', path: '/metadata/labels/added', value: 'yes' },
  { op: 'add', path: '/metadata/annotations', value: { a: 'x' } },
  { op: 'replace', path: '/metadata/labels', value: { app: 'web', replaced: '1' } },
  { op: 'remove', path: '/metadata/labels/app' },
  { op: 'test', path: '/metadata/labels/app', value: 'web' },
  { op: 'add', path: '/metadata/labels/number', value: 1 },
  { op: 'copy', from: '/metadata/name', path: '/metadata/labels/copied' },
  { op: 'move', from: '/metadata/labels', path: '/metadata/annotations' },
  {
    op: 'add',
    path: '/spec/containers/-',
    value: { name: 'side', image: 'side:1', ports: [{ containerPort: 80 }] },
  },
  { op: 'add', path: '/spec/containers/-1', value: { name: 'side', image: 'side' } },
  { op: 'add', path: '/spec/unknown', value: { a: 1 } },
  {
    op: 'replace',
    path: '/spec/containers/0/resources',
    value: { limits: { cpu: '1000m', memory: '1024Mi' } },
  },
  { op: 'add', path: '/data', value: { key: 'value' } },
];

function policyBase(random: Random) {
  return {
    failurePolicy: random.pick(['Fail', 'Ignore']),
    matchConstraints: {
      resourceRules: [{ ...randomRule(random), resources: ['pods', 'configmaps', 'deployments'] }],
    },
    ...(random.chance(0.3) && { matchConditions: [{ name: 'c', expression: random.pick(CONDITIONS) }] }),
  };
}

function mutatingPolicy(random: Random): JsonObject[] {
  const [patchType, field, expression] = random.pick(MUTATIONS);
  const mutations = [{ patchType, [field]: { expression } }];
  return [
    policyObject('MutatingAdmissionPolicy', {
      ...policyBase(random),
      reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
      mutations,
    }),
    policyObject('MutatingAdmissionPolicyBinding', { policyName: 'diff' }),
  ];
}

const MUTATIONS = [
  [
    'ApplyConfiguration',
    'applyConfiguration',
    "Object{metadata: Object.metadata{labels: {'policy': 'yes'}}}",
  ],
  [
    'ApplyConfiguration',
    'applyConfiguration',
    "Object{metadata: Object.metadata{labels: {'ns': namespaceObject.metadata.name}}}",
  ],
  [
    'ApplyConfiguration',
    'applyConfiguration',
    "Object{metadata: Object.metadata{labels: {'app': object.metadata.labels['app'] + 'x'}}}",
  ],
  ['ApplyConfiguration', 'applyConfiguration', "Object{spec: Object.spec{hostname: 'h'}}"],
  [
    'JSONPatch',
    'jsonPatch',
    "[JSONPatch{op: 'add', path: '/metadata/labels/patched', value: request.operation}]",
  ],
  [
    'JSONPatch',
    'jsonPatch',
    "[JSONPatch{op: 'test', path: '/metadata/name', value: 'o1'}, JSONPatch{op: 'add', path: '/metadata/labels', value: {'only': 'o1'}}]",
  ],
] as const;

function validatingPolicy(random: Random): JsonObject[] {
  return [
    policyObject('ValidatingAdmissionPolicy', {
      ...policyBase(random),
      validations: [random.pick(VALIDATIONS)],
    }),
    policyObject('ValidatingAdmissionPolicyBinding', {
      policyName: 'diff',
      validationActions: random.pick([['Deny'], ['Warn'], ['Audit'], ['Deny', 'Audit'], ['Warn', 'Audit']]),
    }),
  ];
}

const VALIDATIONS: readonly JsonObject[] = [
  { expression: "object.metadata.name != 'o2'" },
  { expression: "object.metadata.name != 'o2'", message: 'not this one', reason: 'Forbidden' },
  {
    expression: "has(object.metadata.labels) && 'app' in object.metadata.labels",
    messageExpression: "'labels of ' + object.metadata.name",
  },
  { expression: 'object.spec.containers.size() < 2' },
];

function policyObject(kind: string, spec: object): JsonObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'diff' },
    spec,
  } as JsonObject;
}

function randomRequest(random: Random, index: number): ScenarioRequest {
  const namespace = random.pick(Object.keys(NAMESPACES));
  const kind = random.pick(['Pod', 'Pod', 'Pod', 'ConfigMap', 'Deployment'] as const);
  const api = kind === 'Deployment' ? '/apis/apps/v1' : '/api/v1';
  const path = `${api}/namespaces/${namespace}/${kind.toLowerCase()}s`;
  // Each namespace has one object called `stored` of each kind. The deletion of a Pod takes several passes.
  if (kind === 'ConfigMap' && random.chance(0.2))
    return { method: 'DELETE', path: `${path}/stored?dryRun=All` };
  if (random.chance(0.25)) {
    const body = {
      metadata: { labels: random.pick([{ app: 'web' }, { changed: String(index) }, { app: null }]) },
    } as JsonObject;
    return {
      method: 'PATCH',
      path: `${path}/stored?dryRun=All`,
      contentType: 'application/merge-patch+json',
      body,
    };
  }
  const labels = random.pick([undefined, { app: 'web' }, { app: 'db', skip: '1' }]);
  const metadata = { name: random.pick(['o1', 'o2', 'o3']), ...(labels && { labels }) };
  const base = { apiVersion: kind === 'Deployment' ? 'apps/v1' : 'v1', kind, metadata };
  const body = { ...base, ...contentOf(kind, random) };
  return { method: 'POST', path: `${path}?dryRun=All`, body: body as JsonObject };
}

function contentOf(kind: 'Pod' | 'ConfigMap' | 'Deployment', random: Random): object {
  if (kind === 'ConfigMap') return { data: { a: '1' } };
  const spec = randomPodSpec(random);
  if (kind === 'Pod') return { spec };
  const labels = { app: 'web' };
  return { spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec } } };
}

function randomPodSpec(random: Random): JsonObject {
  const resources = { requests: { cpu: random.pick(['1000m', '0.5', '1e3']) }, limits: { memory: '1.5Gi' } };
  const container = {
    name: 'app',
    image: random.pick(['nginx', 'nginx:1.27']),
    ...(random.chance(0.4) && { resources: { limits: resources.limits } }),
  };
  return {
    containers: [container, ...(random.chance(0.2) ? [{ name: 'second', image: 'b:1', stdin: false }] : [])],
    ...(random.chance(0.2) && {
      initContainers: [{ name: 'init', image: 'i', resources: { requests: resources.requests } }],
    }),
    ...(random.chance(0.1) && { containers: [] }),
    ...(random.chance(0.1) && { bogus: 1 }),
  } as JsonObject;
}
