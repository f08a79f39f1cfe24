import { type GoField, goType, type StructName } from '../../src/injectors/istio/pod-types/go-type.ts';
import { fromEntries, randomAnnotations } from './annotations.ts';
import type { Random } from './random.ts';
import { NAMES, randomText } from './random-text.ts';

/** An object as it can reach a webhook: it decodes, but has not been validated. */
export function randomObject(random: Random): Record<string, unknown> {
  const kind = random.int(20);
  if (kind < 16) return randomPod(random);
  const template = { metadata: randomMetadata(random), spec: randomSpec(random) };
  const metadata = { name: random.pick(NAMES), namespace: random.pick(NAMESPACES) };
  if (kind < 18)
    return {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { replicas: random.int(3), template },
    };
  if (random.chance(0.3)) return randomCustomResource(random, metadata, template);
  if (kind === 18) return { apiVersion: 'batch/v1', kind: 'Job', metadata, spec: { template } };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata,
    spec: random.chance(0.2) ? null : { jobTemplate: { spec: { template } } },
  };
}

function randomCustomResource(random: Random, metadata: object, template: object): Record<string, unknown> {
  return random.chance(0.5)
    ? { apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout', metadata, spec: { template } }
    : {
        apiVersion: 'example.com/v1',
        kind: 'Deployment',
        metadata,
        spec: random.pick([template, null, [], 'x']),
      };
}

export const NAMESPACES = ['default', 'team-a', 'other', 'plain', 'openshift'] as const;

export function randomPod(random: Random): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: randomMetadata(random),
    spec: random.chance(0.02) ? random.pick([null, {}, [], 'x']) : randomSpec(random),
  };
}

function randomMetadata(random: Random): unknown {
  if (random.chance(0.01)) return random.pick([null, {}, []]);
  const labels = random.some(LABELS, 0.2);
  return {
    ...(random.chance(0.7) ? { name: random.pick(NAMES) } : { generateName: 'web-' }),
    ...(random.chance(0.9) && { annotations: random.chance(0.02) ? null : randomAnnotations(random) }),
    ...(labels.length > 0 && { labels: fromEntries(labels) }),
    ...(random.chance(0.3) && {
      ownerReferences: random.list(2, () => randomStruct(random, 'OwnerReference', 0.9, 3)).concat([OWNER]),
    }),
  };
}

const OWNER = {
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  name: 'web-5d4f8c7b9',
  uid: '1',
  controller: true,
};

const LABELS: readonly (readonly [string, unknown])[] = [
  ['app', 'web'],
  ['app', ''],
  ['app.kubernetes.io/name', 'x'],
  ['pod-template-hash', '5d4f8c7b9'],
  ['sidecar.istio.io/inject', 'true'],
  ['istio.io/rev', 'default'],
  ['topology.istio.io/network', 'n'],
  ['service.istio.io/canonical-name', 'c'],
  ['eks.amazonaws.com/skip-pod-identity-webhook', ''],
  ['__proto__', 'x'],
  ['constructor', 'x'],
];

function randomSpec(random: Random): Record<string, unknown> {
  const isRough = random.chance(0.3);
  const container = (index: number) => randomContainer(random, index, isRough);
  return {
    ...randomStruct(random, 'PodSpec', random.pick([0, 0.05, 0.2]), isRough ? 3 : 0),
    hostNetwork: undefined,
    volumes: random.chance(0.5)
      ? random.list(3, (index) => ({ ...randomVolume(random), name: nameOf(random, index, isRough) }))
      : undefined,
    initContainers: random.chance(0.3) ? random.list(2, (index) => container(index + 5)) : undefined,
    containers: random.chance(0.02)
      ? random.pick([null, [], undefined, {}])
      : [container(0), ...random.list(2, (index) => container(index + 1))],
    ...(random.chance(0.6) && {
      serviceAccountName: random.pick(['default', 'role', 'listed', 'nobody', '..', '']),
    }),
    ...(random.chance(0.05) && { hostNetwork: true }),
    ...(random.chance(0.1) && { restartPolicy: random.pick(['Never', 'OnFailure', 'x']) }),
  };
}

function randomContainer(random: Random, index: number, isRough: boolean): unknown {
  if (isRough && random.chance(0.03)) return random.pick([null, {}, 5, []]);
  const fields = randomStruct(random, 'Container', random.pick([0, 0.1, 0.3]), isRough ? 3 : 0);
  // A Pod with an invalid one is left alone, so most need valid ones.
  if (!isRough) for (const list of ['env', 'volumeMounts']) delete fields[list];
  const paths = isRough ? PATHS : PATHS.filter((path) => path !== '');
  return {
    ...fields,
    name: nameOf(random, index, isRough),
    ...(random.chance(0.9) && { image: random.pick(['nginx:1', 'nginx', 'auto', 'registry.example/web']) }),
    ...(random.chance(0.3) && {
      env: random.list(4, (at) =>
        isRough && random.chance(0.1)
          ? random.pick([null, {}, { name: '' }])
          : {
              name: random.pick(random.chance(0.2) ? TWICE : ENV_NAMES) + (random.chance(0.5) ? at : ''),
              ...(random.chance(0.8) ? { value: random.chance(0.2) ? randomText(random) : 'v' } : FIELD_REF),
            },
      ),
    }),
    ...(random.chance(0.3) && {
      volumeMounts: random.list(3, (at) => ({
        name: nameOf(random, at, isRough),
        mountPath: random.pick(paths),
      })),
    }),
    ...(random.chance(0.05) && {
      [random.pick(['newerField', '__proto_', 'constructor'])]: { deep: [1, {}] },
    }),
  };
}

const FIELD_REF = { valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };
const ENV_NAMES = [
  'A',
  'JAVA_TOOL_OPTIONS',
  'OTEL_RESOURCE_ATTRIBUTES',
  'OTEL_SERVICE_NAME',
  'PYTHONPATH',
  'AWS_ROLE_ARN',
  'AWS_REGION',
  'NODE_OPTIONS',
  'LD_PRELOAD',
  'ISTIO_META_CLUSTER_ID',
  'WORKER',
] as const;
/** So that many containers have a variable twice. */
const TWICE = ['JAVA_TOOL_OPTIONS'] as const;
const PATHS = [
  '/var/log',
  '/var/log/',
  '/srv/a',
  '/',
  '',
  '//x/',
  '/usr/share/filebeat',
  'relative',
  '/a:b',
] as const;

/** Mostly distinct, as the API server requires. */
function nameOf(random: Random, index: number, isRough: boolean): string {
  if (isRough && random.chance(0.1)) return random.chance(0.5) ? '' : randomText(random);
  const name = random.pick(NAMES);
  return index === 0 || random.chance(0.3) ? name : `${name}-${index}`;
}

function randomVolume(random: Random): Record<string, unknown> {
  return random.pick<Record<string, unknown>>([
    { emptyDir: {} },
    { emptyDir: null },
    {},
    { hostPath: { path: '/var/log' } },
    { configMap: { name: 'c' } },
    { projected: { sources: [{ serviceAccountToken: { audience: 'sts.amazonaws.com', path: 'token' } }] } },
    { projected: { sources: null } },
    { newerSource: { a: 1 } },
  ]);
}

/** Some fields of a Kubernetes type, by their Go types. Roughness: 0 for valid types only, higher for nulls and wrong values. */
function randomStruct(
  random: Random,
  name: StructName,
  density: number,
  roughness: number,
  depth = 0,
): Record<string, unknown> {
  const fields = [...goType(name).fields.values()];
  return fromEntries(
    random
      .some(fields, depth > 2 ? density / 3 : density)
      .map((field) => [field.jsonName, randomField(random, field, density, roughness, depth)] as const),
  );
}

function randomField(
  random: Random,
  field: GoField,
  density: number,
  roughness: number,
  depth: number,
): unknown {
  if (random.chance(roughness * 0.03)) return null;
  if (random.chance(roughness * 0.003)) return random.pick([5, 'x', [], {}, true, [null], [5]]);
  if (field.struct !== undefined) {
    const { name, form } = field.struct;
    const make = () => randomStruct(random, name, Math.max(density, 0.4), roughness, depth + 1);
    return form === 'list' ? random.list(2, make) : make();
  }
  switch (field.kind) {
    case 'string':
      return random.chance(0.5) ? random.pick(NAMES) : randomText(random);
    case 'bool':
      return random.chance(0.5);
    case 'int32':
    case 'int64':
    case 'uint32':
      return random.pick([0, 1, -1, 80, 8080, 15020, 65536, 2 ** 31]);
    case 'double':
      return random.pick([0, 0.5, -1e300]);
    case 'strings':
      return random.list(3, () => randomText(random));
    case 'stringMap':
      return fromEntries(random.list(3, () => [randomText(random), randomText(random)] as const));
    case 'quantities':
      return fromEntries(
        random.list(2, () => [random.pick(['cpu', 'memory', 'x']), random.pick(QUANTITIES)] as const),
      );
    case 'quantity':
      return random.pick(QUANTITIES);
    case 'pointer':
      if (roughness === 0) return POINTERS[field.jsonName];
      return random.pick<unknown>([0, 1, true, false, 'x', '', 1337]);
    default:
      return random.pick<unknown>([undefined, [], {}, [{}], null]);
  }
}

/** Pointers to scalars of any type. */
const POINTERS: Readonly<Record<string, unknown>> = {
  restartPolicy: 'Always',
  runAsUser: 1337,
  runAsGroup: 0,
  runAsNonRoot: true,
  privileged: true,
  allowPrivilegeEscalation: true,
  readOnlyRootFilesystem: true,
  shareProcessNamespace: true,
  automountServiceAccountToken: false,
  terminationGracePeriodSeconds: -1,
  optional: true,
  controller: true,
};

const QUANTITIES: readonly unknown[] = [
  '100m',
  '1',
  2,
  '1Gi',
  '1.5',
  '0',
  'lots',
  '',
  '1e3',
  '99999999999999999999',
  '1e-12',
  '5n',
  '8Ei',
];
