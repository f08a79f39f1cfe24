import type { Json, JsonObject } from '../../src/json/json.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import type { Random } from '../fuzz/random.ts';

/** Mutators and an object that they may match. */
export interface MutationCase {
  readonly mutators: readonly KubeObject[];
  readonly object: KubeObject;
  readonly namespace?: KubeObject;
  readonly username: string;
  readonly operation: 'CREATE' | 'UPDATE';
}

/** Half of the objects are Pods with ordinary policies, half are custom resources with wild ones. */
export function randomMutation(random: Random): MutationCase {
  const isPod = random.chance(0.5);
  const namespace = random.pick(['shop', 'shop-north', 'kube-system']);
  const labels = random.chance(0.5) ? { team: random.pick(['a', 'b']) } : {};
  return {
    mutators: named(random, 1 + random.int(4), isPod),
    object: isPod ? randomPod(random, namespace) : randomThing(random, namespace),
    ...(random.chance(0.9) && {
      namespace: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } },
    }),
    username: random.pick(['ann', 'system:admin']),
    operation: random.pick(['CREATE', 'CREATE', 'UPDATE']),
  };
}

function named(random: Random, count: number, isPod: boolean): readonly KubeObject[] {
  const names = random.shuffled(['a', 'b', 'c', 'd', 'e']);
  return names.slice(0, count).map((name) => randomMutator(random, name, isPod));
}

function randomMutator(random: Random, name: string, isPod: boolean): KubeObject {
  const kind = random.pick([
    'Assign',
    'Assign',
    'Assign',
    'AssignMetadata',
    'ModifySet',
    'AssignImage',
  ] as const);
  const location = locationFor(random, kind, isPod);
  const pathTests = random.chance(0.3) ? randomTests(random, location) : [];
  const parameters: JsonObject = {
    ...(kind === 'Assign' && { assign: randomAssign(random, location, isPod) }),
    ...(kind === 'AssignMetadata' && { assign: randomMetadataAssign(random) }),
    ...(kind === 'ModifySet' && {
      ...(random.chance(0.8) && { operation: random.pick(['merge', 'prune']) }),
      values: random.chance(0.9) ? { fromList: random.list(3, () => randomMember(random)) } : {},
    }),
    ...(kind === 'AssignImage' && randomParts(random)),
    ...(kind !== 'AssignMetadata' && pathTests.length > 0 && { pathTests }),
  };
  const spec: JsonObject = {
    ...(kind !== 'AssignMetadata' && { applyTo: randomApplyTo(random, isPod) }),
    ...(random.chance(0.5) && { match: randomMatch(random, isPod) }),
    location,
    parameters,
  };
  const version = kind === 'AssignImage' ? 'v1alpha1' : 'v1';
  return { apiVersion: `mutations.gatekeeper.sh/${version}`, kind, metadata: { name }, spec } as KubeObject;
}

const POD_FIELDS = {
  Assign: [
    'spec.hostname',
    'spec.priority',
    'spec.containers[name: *].image',
    'spec.containers[name: app].imagePullPolicy',
    'spec.containers[name: "extra"].image',
    'spec.containers[name: *].securityContext.runAsUser',
    'spec.containers[name: *].securityContext',
    'spec.containers[name: app].ports[containerPort: 80].name',
    'spec.containers[name: app].env[name: REGION].value',
    'spec.containers[name: extra]',
    'spec.containers[name: app].ports[containerPort: 80]',
    'spec.tolerations',
    'spec.nodeSelector.disk',
    'spec.containers[image: "nginx"].tty',
    'spec.containers.image',
    'spec.volumes[name: data].emptyDir',
    'metadata.labels.x',
  ],
  AssignMetadata: ['metadata.labels.team', 'metadata.annotations."example.com/a"', 'metadata.name', 'spec.a'],
  ModifySet: [
    'spec.containers[name: *].args',
    'spec.containers[name: app].command',
    'spec.containers[name: *].securityContext.capabilities.drop',
    'spec.containers[name: app]',
    'spec.imagePullSecrets',
  ],
  AssignImage: [
    'spec.containers[name: *].image',
    'spec.initContainers[name: *].image',
    'spec.containers[name: app].image.x',
    'spec.containers',
  ],
} as const;

function locationFor(random: Random, kind: keyof typeof POD_FIELDS, isPod: boolean): string {
  if (isPod || kind === 'AssignMetadata') return random.pick(POD_FIELDS[kind] as readonly string[]);
  return wildLocation(random);
}

const FIELDS = ['a', 'b', 'c'] as const;

function wildLocation(random: Random): string {
  if (random.chance(0.03))
    return random.pick(['', 'spec.', 'spec..a', 'spec[0]', 'a b', '[a: b]', 'spec.a[b: c][d: e]', 'spec."a']);
  let location = 'spec';
  const depth = 1 + random.int(3);
  for (let step = 0; step < depth; step++) {
    location += `.${random.pick(FIELDS)}`;
    if (random.chance(0.35))
      location += `[${random.pick(['k', 'k', 'k', 'l'])}: ${random.pick(['x', 'y', '*', '*', '1', '"1"', 'new'])}]`;
  }
  return location;
}

/** Prefixes of the location, and sometimes something else. */
function randomTests(random: Random, location: string): JsonObject[] {
  const ends = [...location.matchAll(/[.\]]|$/g)].map(({ index, 0: mark }) => index + (mark === ']' ? 1 : 0));
  return Array.from({ length: 1 + random.int(2) }, () => ({
    subPath: random.chance(0.05) ? 'spec.z' : location.slice(0, random.pick(ends)),
    condition: random.pick(['MustExist', 'MustNotExist']),
  }));
}

function randomAssign(random: Random, location: string, isPod: boolean): JsonObject {
  if (random.chance(0.08)) return { fromMetadata: { field: random.pick(['name', 'namespace', 'uid']) } };
  if (random.chance(0.12)) return { externalData: randomExternal(random) };
  if (random.chance(0.03))
    return random.pick([{}, { value: null }, { value: 1, fromMetadata: { field: 'name' } }]);
  const [, key, text = ''] = /\[(\w+): ([^\]]+)\]$/.exec(location) ?? [];
  if (key !== undefined && random.chance(0.9)) {
    const value: Json = /^\d+$/.test(text) ? Number(text) : text.replaceAll('"', '');
    return {
      value: {
        [key]: random.chance(0.9) ? value : 'other',
        ...(isPod ? { name: 'extra', image: 'e:1' } : randomMap(random)),
        [key]: value,
      },
    };
  }
  if (!isPod) return { value: randomValue(random, 2) };
  if (location.endsWith('securityContext')) return { value: { runAsNonRoot: true } };
  if (location.endsWith('tolerations')) return { value: [{ key: 'a', operator: 'Exists' }] };
  if (location.endsWith('emptyDir')) return { value: random.pick([{}, { medium: 'Memory' }]) };
  if (/priority|runAsUser$/.test(location)) return { value: random.int(3) };
  return { value: random.pick(['v1', 'v2', 'nginx', '']) };
}

function randomMetadataAssign(random: Random): JsonObject {
  if (random.chance(0.2)) return { fromMetadata: { field: random.pick(['name', 'namespace']) } };
  if (random.chance(0.2))
    return {
      externalData: {
        ...randomExternal(random),
        dataSource: random.pick(['Username', 'Username', 'ValueAtLocation']),
      },
    };
  return { value: random.pick(['yes', 'a', 'b', 1]) };
}

function randomExternal(random: Random): JsonObject {
  return {
    provider: random.pick(['names', 'names', 'broken', 'unknown']),
    ...(random.chance(0.3) && { dataSource: 'ValueAtLocation' }),
    ...(random.chance(0.7) && { failurePolicy: random.pick(['Fail', 'Ignore', 'UseDefault']) }),
    ...(random.chance(0.5) && { default: 'fallback' }),
  };
}

function randomParts(random: Random): JsonObject {
  return {
    ...(random.chance(0.5) && {
      assignDomain: random.pick(['mirror.example.com', 'localhost:5000', 'plain', 'a.b:x']),
    }),
    ...(random.chance(0.5) && {
      assignPath: random.pick(['library/nginx', 'a--b', 'a/b.c', 'docker.io/x', '/x', 'A']),
    }),
    ...(random.chance(0.5) && { assignTag: random.pick([':v2', `@sha256:${'a'.repeat(64)}`, 'v2', ':']) }),
  };
}

function randomApplyTo(random: Random, isPod: boolean): JsonObject[] {
  const own = isPod
    ? { groups: [''], versions: ['v1'], kinds: ['Pod'] }
    : { groups: ['example.com'], versions: ['v1'], kinds: ['Thing'] };
  const operations = random.pick([
    undefined,
    undefined,
    undefined,
    ['CREATE'],
    ['UPDATE'],
    ['CREATE', 'UPDATE'],
    ['*'],
    [],
    ['DELETE'],
    ['*', 'CREATE'],
  ]);
  const entry = { ...own, ...(operations && { operations }) };
  if (random.chance(0.03))
    return random.pick([
      [],
      [{ ...own, kinds: [] }],
      [{ ...own, versions: ['v2'] }],
      [{ ...own, kinds: ['*'] }],
    ]);
  return random.chance(0.1) ? [{ ...own, kinds: ['Other'], operations: ['UPDATE'] }, entry] : [entry];
}

function randomMatch(random: Random, isPod: boolean): JsonObject {
  const patterns = ['shop', 'shop*', '*north', '*hop*', 'kube-*', '*', 'nothing'];
  const labels = random.pick([
    { matchLabels: { team: 'a' } },
    { matchExpressions: [{ key: 'team', operator: random.pick(['Exists', 'DoesNotExist']) }] },
    { matchExpressions: [{ key: 'team', operator: random.pick(['In', 'NotIn']), values: ['a'] }] },
    {},
  ] as readonly JsonObject[]);
  return {
    ...(random.chance(0.3) && {
      kinds: [
        {
          apiGroups: random.pick([['*'], [''], ['example.com'], []]),
          kinds: random.pick([['*'], [isPod ? 'Pod' : 'Thing'], ['Other'], []]),
        },
      ],
    }),
    ...(random.chance(0.3) && { scope: random.pick(['Namespaced', 'Cluster', '*', 'namespaced']) }),
    ...(random.chance(0.3) && { namespaces: [random.pick(patterns)] }),
    ...(random.chance(0.2) && { excludedNamespaces: [random.pick(patterns)] }),
    ...(random.chance(0.25) && { labelSelector: labels }),
    ...(random.chance(0.15) && { namespaceSelector: labels }),
    ...(random.chance(0.15) && { name: random.pick(['web', 'web-*', '*eb', '*-*', '*']) }),
    ...(random.chance(0.1) && { source: random.pick(['All', 'Original', 'Generated']) }),
  };
}

function randomMetadata(random: Random, namespace: string): KubeObject['metadata'] {
  return {
    ...(random.chance(0.8) ? { name: 'web' } : { generateName: 'web-' }),
    // The request's own, which an object may omit.
    ...((namespace !== 'shop' || random.chance(0.7)) && { namespace }),
    ...(random.chance(0.4) && { labels: { team: random.pick(['a', 'b']) } }),
    ...(random.chance(0.2) && { annotations: { 'example.com/a': 'there' } }),
  };
}

function randomPod(random: Random, namespace: string): KubeObject {
  const container = (name: string): JsonObject => ({
    name,
    image: random.pick(['nginx', 'docker.io/library/nginx:1', 'a/b@sha256:1', 'localhost/x']),
    ...(random.chance(0.3) && { args: random.some(['x', 'y', 'z'], 0.6) }),
    ...(random.chance(0.3) && { command: ['run'] }),
    ...(random.chance(0.3) && {
      ports: [{ containerPort: 80 }, ...random.list(1, () => ({ containerPort: 81, name: 'more' }))],
    }),
    ...(random.chance(0.3) && { env: [{ name: 'REGION', value: random.pick(['eu', '']) }] }),
    ...(random.chance(0.3) && {
      securityContext: random.pick([{}, { runAsUser: 1 }, { capabilities: { drop: ['ALL'] } }]),
    }),
    ...(random.chance(0.1) && { imagePullPolicy: 'Always' }),
  });
  const spec = {
    containers: [
      container('app'),
      ...(random.chance(0.4) ? [container(random.pick(['extra', 'other']))] : []),
    ],
    ...(random.chance(0.2) && { initContainers: [container('init')] }),
    ...(random.chance(0.2) && { hostname: 'h' }),
    ...(random.chance(0.2) && { volumes: [{ name: 'data', emptyDir: {} }] }),
    ...(random.chance(0.2) && { tolerations: [{ key: 'old', operator: 'Exists' }] }),
  };
  return { apiVersion: 'v1', kind: 'Pod', metadata: randomMetadata(random, namespace), spec } as KubeObject;
}

function randomThing(random: Random, namespace: string): KubeObject {
  const spec = random.chance(0.9) ? randomMap(random, 3) : {};
  return {
    apiVersion: 'example.com/v1',
    kind: 'Thing',
    metadata: randomMetadata(random, namespace),
    spec,
  } as KubeObject;
}

function randomMap(random: Random, depth = 1): JsonObject {
  return Object.fromEntries(random.some(FIELDS, 0.5).map((field) => [field, randomValue(random, depth)]));
}

/** Lists are mostly of maps with a key, as locations expect them. */
function randomValue(random: Random, depth: number): Json {
  const choice = random.int(depth > 0 ? 10 : 5);
  if (choice < 5) return random.pick(['x', 'y', '', 1, 0, true, false, 1.5]);
  if (choice < 7) return randomMap(random, depth - 1);
  if (choice === 7) return random.list(3, () => randomMember(random));
  if (choice === 8 && random.chance(0.3)) return null;
  return random.list(3, () => ({
    [random.pick(['k', 'k', 'k', 'l'])]: random.pick(['x', 'y', 1, '1']),
    ...randomMap(random, depth - 1),
  }));
}

function randomMember(random: Random): Json {
  return random.pick(['x', 'y', 'z', 'ALL', 1, 2, { a: 1 }, ['x']] as readonly Json[]);
}
