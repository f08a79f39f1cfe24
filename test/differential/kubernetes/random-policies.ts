import type { JsonObject } from '../../../src/json/json.ts';
import type { Random } from '../../fuzz/random.ts';
import type { PolicyCase } from '../../peers/policy-case.ts';

/** A Pod or Deployment that meets one mutating and one validating policy: among several, Kubernetes' order is random. */
export function randomPolicyCase(random: Random): PolicyCase {
  const { chance, pick } = random;
  const isDeployment = chance(0.2);
  const object = isDeployment ? randomDeployment(random) : randomPod(random);
  return {
    request: {
      operation: 'CREATE',
      userInfo: { username: pick(['ann', 'bob']), uid: 'u1', groups: ['dev', 'system:authenticated'] },
      ...(chance(0.1) && { dryRun: true }),
    },
    object,
    resources: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', labels: { team: 'a' } } },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'limits', namespace: 'shop' },
        data: { limit: '5', name: 'x' },
      },
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'more', namespace: 'shop', labels: { use: 'yes' } },
        data: { limit: '7' },
      },
      ...(chance(0.8) ? mutatingPolicy(random) : []),
      ...(chance(0.6) ? validatingPolicy(random) : []),
    ],
    ...(chance(0.3) && { authorizer: [{ verb: 'create', resource: 'pods', decision: 'allow' }] }),
  };
}

function randomPod(random: Random): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', ...randomMetadata(random) },
    spec: randomSpec(random),
  };
}

function randomDeployment(random: Random): JsonObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', ...randomMetadata(random) },
    spec: {
      ...(random.chance(0.5) && { replicas: random.int(9) }),
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: randomSpec(random) },
    },
  };
}

function randomMetadata({ chance, pick }: Random): JsonObject {
  return {
    ...(chance(0.7) && { labels: pick<JsonObject>([{ app: 'web' }, { app: 'other', skip: 'yes' }, {}]) }),
    ...(chance(0.4) && { annotations: { note: 'text', 'example.com/a': '1' } }),
  };
}

function randomSpec({ chance, pick }: Random): JsonObject {
  const env = [
    { name: 'A', value: '1' },
    { name: 'B', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  ];
  return {
    containers: [
      {
        name: 'app',
        image: pick(['web:1', 'web']),
        ...(chance(0.5) && { env }),
        ...(chance(0.4) && { ports: [{ containerPort: 8080, name: 'http' }] }),
        ...(chance(0.4) && { resources: { limits: { cpu: '1', memory: '1Gi' } } }),
        ...(chance(0.3) && { args: ['a'], securityContext: { runAsUser: 5 } }),
        ...(chance(0.3) && { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
      },
      ...(chance(0.4) ? [{ name: 'log', image: 'log:2' }] : []),
    ],
    ...(chance(0.3) && { volumes: [{ name: 'data', emptyDir: {} }] }),
    ...(chance(0.2) && { nodeSelector: { disk: 'ssd' } }),
    ...(chance(0.2) && { tolerations: [{ key: 'a', operator: 'Exists' }] }),
    ...(chance(0.2) && { initContainers: [{ name: 'setup', image: 'setup:1' }] }),
  };
}

/** The variables that a policy's expressions may use. Few use missing ones: such a policy cannot be created. */
interface Scope {
  readonly hasParams: boolean;
  readonly hasVariables: boolean;
}

function randomScope({ chance }: Random): Scope {
  return { hasParams: chance(0.35), hasVariables: chance(0.5) };
}

function pickFor(random: Random, { hasParams, hasVariables }: Scope, expressions: readonly string[]): string {
  if (random.chance(0.02)) return random.pick([...expressions, ...INVALID]);
  const fitting = expressions.filter(
    (each) => (hasParams || !/\bparams\b/.test(each)) && (hasVariables || !/\bvariables\b/.test(each)),
  );
  return random.pick(fitting);
}

function commonSpec(random: Random, scope: Scope): JsonObject {
  const { chance, pick } = random;
  const variables = [
    pickFor(random, { ...scope, hasVariables: false }, VARIABLES),
    ...random.list(2, () => pickFor(random, scope, VARIABLES)),
  ];
  return {
    ...(chance(0.7) && { failurePolicy: pick(['Fail', 'Ignore']) }),
    ...(scope.hasParams && { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: pick([['', 'apps'], ['', 'apps'], ['*'], ['']]),
          apiVersions: ['v1'],
          resources: pick([
            ['pods', 'deployments'],
            ['pods', 'deployments'],
            ['*'],
            ['pods'],
            ['deployments'],
          ]),
          operations: pick([['CREATE'], ['CREATE', 'UPDATE'], ['*']]),
        },
      ],
      ...(chance(0.15) && { objectSelector: { matchLabels: { app: 'web' } } }),
      ...(chance(0.15) && {
        namespaceSelector: { matchExpressions: [{ key: 'team', operator: 'In', values: ['a'] }] },
      }),
      ...(chance(0.1) && {
        excludeResourceRules: [
          {
            apiGroups: [''],
            apiVersions: ['v1'],
            resources: ['pods'],
            operations: ['CREATE'],
            resourceNames: [pick(['web', 'x'])],
          },
        ],
      }),
    },
    ...(chance(0.3) && {
      matchConditions: random.list(2, (index) => ({
        name: `c${index}`,
        expression: pickFor(random, { ...scope, hasVariables: false }, CONDITIONS),
      })),
    }),
    ...(scope.hasVariables && {
      variables: variables.map((expression, index) => ({ name: `v${index}`, expression })),
    }),
  };
}

function bindingSpec(random: Random, policyName: string): JsonObject {
  const { chance, pick } = random;
  return {
    policyName,
    ...(chance(0.4) && {
      paramRef: {
        ...pick<JsonObject>([
          { name: 'limits' },
          { name: 'missing' },
          { selector: { matchLabels: { use: 'yes' } } },
          { name: 'limits', namespace: 'shop' },
          { name: 'limits', namespace: 'other' },
        ]),
        parameterNotFoundAction: pick(['Deny', 'Allow']),
      },
    }),
    ...(chance(0.15) && { matchResources: { objectSelector: { matchLabels: { app: 'web' } } } }),
  };
}

function mutatingPolicy(random: Random): JsonObject[] {
  const scope = randomScope(random);
  const mutations = Array.from({ length: 1 + random.int(3) }, () =>
    random.chance(0.5)
      ? {
          patchType: 'ApplyConfiguration',
          applyConfiguration: { expression: pickFor(random, scope, CONFIGURATIONS) },
        }
      : { patchType: 'JSONPatch', jsonPatch: { expression: pickFor(random, scope, PATCHES) } },
  );
  const spec = {
    ...commonSpec(random, scope),
    reinvocationPolicy: random.pick(['Never', 'IfNeeded']),
    mutations,
  };
  return resources('Mutating', 'm', spec, bindingSpec(random, 'm'));
}

function validatingPolicy(random: Random): JsonObject[] {
  const scope = randomScope(random);
  const { chance, pick } = random;
  const validations = Array.from({ length: 1 + random.int(3) }, () => ({
    expression: pickFor(random, scope, VALIDATIONS),
    ...(chance(0.4) && { message: pick(['too many', ' padded ', 'x']) }),
    ...(chance(0.4) && { messageExpression: pickFor(random, scope, MESSAGES) }),
    ...(chance(0.3) && { reason: pick(['Forbidden', 'Invalid', 'RequestEntityTooLarge']) }),
  }));
  const auditAnnotations = random.list(2, (index) => ({
    key: `k${index}`,
    valueExpression: pickFor(random, scope, ANNOTATIONS),
  }));
  const spec = { ...commonSpec(random, scope), validations, ...(chance(0.4) && { auditAnnotations }) };
  const validationActions = pick([['Deny'], ['Warn'], ['Audit'], ['Deny', 'Audit'], ['Warn', 'Audit']]);
  return resources('Validating', 'v', spec, { ...bindingSpec(random, 'v'), validationActions });
}

function resources(type: string, name: string, spec: JsonObject, binding: JsonObject): JsonObject[] {
  const apiVersion = 'admissionregistration.k8s.io/v1';
  return [
    { apiVersion, kind: `${type}AdmissionPolicy`, metadata: { name }, spec },
    { apiVersion, kind: `${type}AdmissionPolicyBinding`, metadata: { name }, spec: binding },
  ];
}

const CONDITIONS = [
  "request.operation == 'CREATE'",
  "object.metadata.labels['app'] == 'web'",
  "object.metadata.?labels['skip'].orValue('') != 'yes'",
  'has(object.spec.template)',
  "request.userInfo.username == 'ann'",
  'namespaceObject == null',
  "authorizer.requestResource.check('create').allowed()",
  "params.data.limit == '5'",
];

const VARIABLES = [
  '1',
  "'text'",
  'object.spec.containers.size()',
  "object.metadata.?labels['app'].orValue('none')",
  'variables.v0',
  'object.spec.nope',
  'object.spec.containers.map(c, c.name)',
  'request.namespace',
  'has(object.spec.template) ? object.spec.template.spec : object.spec',
  "params == null ? 'none' : params.data.limit",
  "quantity('1')",
  'oldObject',
];

const CONFIGURATIONS = [
  "Object{metadata: Object.metadata{labels: {'added': 'yes'}}}",
  "Object{metadata: Object.metadata{labels: {'app': optional.none()}}}",
  "Object{metadata: Object.metadata{annotations: {'v': string(variables.v0)}}}",
  "Object{metadata: Object.metadata{annotations: {'ns': namespaceObject.metadata.name, 'user': request.userInfo.username}}}",
  "Object{metadata: Object.metadata{finalizers: ['example.com/a']}}",
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'app', image: 'other:1'}]}}",
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'first', image: 'f'}, Object.spec.containers{name: 'app'}]}}",
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'log', image: 'log:3'}, Object.spec.containers{name: 'app', tty: true}]}}",
  "Object{spec: Object.spec{containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, env: [Object.spec.containers.env{name: 'ADDED', value: 'x'}]})}}",
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'app', env: [Object.spec.containers.env{name: 'B', value: 'y'}]}]}}",
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'app', ports: [Object.spec.containers.ports{containerPort: 8080, name: 'web'}]}]}}",
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'app', resources: Object.spec.containers.resources{limits: {'cpu': '1500m', 'memory': '2Gi'}}}]}}",
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'app', resources: Object.spec.containers.resources{limits: {'cpu': 2}}}]}}",
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'app', volumeMounts: [Object.spec.containers.volumeMounts{name: 'data', mountPath: '/data', readOnly: true}]}]}}",
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'app', args: ['b']}]}}",
  "Object{spec: Object.spec{containers: [{'name': 'app'}]}}",
  "Object{spec: Object.spec{containers: [Object.spec.containers{name: 'x'}, Object.spec.containers{name: 'x'}]}}",
  "Object{spec: Object.spec{initContainers: [Object.spec.initContainers{name: 'proxy', image: 'proxy:1', restartPolicy: 'Always'}]}}",
  "Object{spec: Object.spec{volumes: [Object.spec.volumes{name: 'data', configMap: Object.spec.volumes.configMap{name: 'c'}}]}}",
  "Object{spec: Object.spec{volumes: [Object.spec.volumes{name: 'more', emptyDir: Object.spec.volumes.emptyDir{}}]}}",
  "Object{spec: Object.spec{nodeSelector: {'disk': 'hdd'}}}",
  'Object{spec: Object.spec{tolerations: []}}',
  'Object{spec: Object.spec{securityContext: Object.spec.securityContext{runAsUser: 7, runAsNonRoot: true}}}',
  'Object{spec: Object.spec{securityContext: Object.spec.wrong{runAsUser: 7}}}',
  'Object{spec: Object.spec{bogus: 1}}',
  'Object{spec: Object.spec{terminationGracePeriodSeconds: 1.5}}',
  'Object{spec: Object.spec{terminationGracePeriodSeconds: 5.0}}',
  'Object{spec: Object.spec{terminationGracePeriodSeconds: 5u}}',
  "Object{spec: Object.spec{hostNetwork: 'yes'}}",
  'Object{spec: Object.spec{?priorityClassName: optional.none()}}',
  'Object{spec: Object.spec{dnsPolicy: null}}',
  'Object{spec: Object.spec{replicas: object.spec.replicas + 1}}',
  "Object{spec: Object.spec{template: Object.spec.template{metadata: Object.spec.template.metadata{labels: {'t': 'x'}}}}}",
  "Object{spec: Object.spec{topologySpreadConstraints: [Object.spec.topologySpreadConstraints{topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 1}]}}",
  'Object{}',
  "Object{metadata: Object.metadata{labels: {'count': string(int(object.metadata.?labels['count'].orValue('0')) + 1)}}}",
];

const PATCHES = [
  "[JSONPatch{op: 'add', path: '/metadata/labels', value: {'only': 'x'}}]",
  "[JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('example.com/a~b'), value: 'x'}]",
  "[JSONPatch{op: 'add', path: '/metadata/labels/new', value: variables.v0}]",
  "[JSONPatch{op: 'replace', path: '/spec/containers/0/image', value: 'other:' + string(1)}]",
  "[JSONPatch{op: 'add', path: '/spec/containers/0/env/-', value: {'name': 'P', 'value': 'x'}}]",
  "[JSONPatch{op: 'add', path: '/spec/containers/-', value: Object.spec.containers{name: 'side', image: 's'}}]",
  "[JSONPatch{op: 'add', path: '/spec/containers/1', value: {'name': 'second', 'image': 's'}}]",
  "[JSONPatch{op: 'add', path: '/spec/tolerations', value: [{'key': 'b', 'operator': 'Exists'}]}]",
  "[JSONPatch{op: 'add', path: '/spec/nodeSelector', value: {'a': 'b'}}]",
  "[JSONPatch{op: 'remove', path: '/spec/nodeSelector'}]",
  "[JSONPatch{op: 'remove', path: '/metadata/labels/app'}]",
  "[JSONPatch{op: 'remove', path: '/spec/containers/0'}]",
  "[JSONPatch{op: 'move', from: '/metadata/labels', path: '/metadata/annotations'}]",
  "[JSONPatch{op: 'copy', from: '/spec/containers/0/image', path: '/metadata/annotations/image'}]",
  "[JSONPatch{op: 'test', path: '/metadata/labels/app', value: 'web'}, JSONPatch{op: 'add', path: '/metadata/labels/tested', value: 'x'}]",
  "[JSONPatch{op: 'test', path: '/spec/nope/x', value: 1}]",
  "[JSONPatch{op: 'add', path: '/spec/bogus', value: 1}]",
  "[JSONPatch{op: 'add', path: '/spec/terminationGracePeriodSeconds', value: 5.0}]",
  "[JSONPatch{op: 'add', path: '/spec/terminationGracePeriodSeconds', value: '5'}]",
  "[JSONPatch{op: 'add', path: '/spec/activeDeadlineSeconds', value: 9007199254740993}]",
  "[JSONPatch{op: 'add', path: '/metadata/labels', value: null}]",
  "[JSONPatch{op: 'add', path: '/metadata/labels/n', value: null}]",
  "[JSONPatch{op: 'add', path: '/metadata/annotations/q', value: quantity('1')}]",
  "[JSONPatch{op: 'add', path: '/metadata/annotations/t', value: timestamp('2026-01-02T03:04:05Z')}]",
  "[JSONPatch{op: 'odd', path: '/a'}]",
  "object.spec.containers.map(c, JSONPatch{op: 'add', path: '/metadata/annotations/' + c.name, value: c.image})",
  "has(object.metadata.labels) ? [] : [JSONPatch{op: 'add', path: '/metadata/labels', value: {}}]",
  '[]',
  "[JSONPatch{op: 'add', path: '/spec/replicas', value: 3}]",
  "[JSONPatch{op: 'replace', path: '', value: {}}]",
  "[JSONPatch{op: 'replace', path: '/metadata/name', value: 'renamed'}]",
];

const VALIDATIONS = [
  'true',
  'false',
  "object.metadata.name == 'web'",
  'object.spec.containers.size() < 2',
  "object.metadata.labels['app'] == 'web'",
  'variables.v0 == 1',
  'int(params.data.limit) > 5',
  'object.spec.nope',
  'has(object.spec.replicas) && object.spec.replicas < 3',
  "authorizer.group('').resource('pods').namespace('shop').check('create').allowed()",
  "namespaceObject.metadata.labels['team'] == 'a'",
  'object.spec.containers.all(c, has(c.resources.limits))',
  'oldObject == null',
  "!object.metadata.?annotations['note'].hasValue()",
];

const MESSAGES = [
  "'name is ' + object.metadata.name",
  "''",
  "' '",
  "'a\\nb'",
  'object.spec.nope',
  "'v: ' + string(variables.v0)",
  'params.data.name',
  'request.userInfo.username',
];

const ANNOTATIONS = [
  "'x'",
  "object.metadata.name + ' '",
  'null',
  "''",
  'object.spec.nope',
  'string(variables.v0)',
  'params.data.limit',
];

const INVALID = ['1', "'x' + 1", 'variables.nope', 'nothing', 'params.data', 'variables.v0'];
