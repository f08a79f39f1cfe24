import type { JsonObject } from '../../../src/json/json.ts';
import type { KubeObject } from '../../../src/kube/kube-object.ts';
import type { Random } from '../../fuzz/random.ts';
import { DEPARTURES } from './departures.ts';
import { randomCollector, randomInstrumentation } from './random-resources.ts';

/** A Pod and the resources that both systems see. */
export interface OperatorCase {
  /** Those that are switched on. */
  readonly languages: readonly string[];
  readonly multi: boolean;
  readonly native: boolean;
  /** Whether podgraft reads custom resources as the operator's webhooks have stored them, or as they were written. */
  readonly isStored: boolean;
  readonly objects: readonly KubeObject[];
  readonly pod: KubeObject;
}

export const NAMESPACE = 'shop';
const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;
const SERVERS = ['apache-httpd', 'nginx'];
const NOT_IN_INIT_CONTAINERS = [...SERVERS, 'go'];
const PREFIX = 'instrumentation.opentelemetry.io';
const ALL = ['java', 'nodejs', 'python', 'dotnet', 'go', 'apache-httpd', 'nginx', 'sdk'];

/** Languages only: what most users do. */
export function plainCase(random: Random): OperatorCase {
  return randomCase(random, languageAnnotations(random));
}

/** A collector as a sidecar, some with a language. */
export function collectorCase(random: Random): OperatorCase {
  const value = random.pick(['true', 'true', 'col', 'obs/shared']);
  return randomCase(random, {
    'sidecar.opentelemetry.io/inject': value,
    ...(random.chance(0.3) && languageAnnotations(random)),
  });
}

function containerNames(language: string): string {
  return `${PREFIX}/${language === 'nginx' ? 'inject-nginx' : language}-container-names`;
}

function languageAnnotations(random: Random): JsonObject {
  const { pick, chance } = random;
  const [one, other] = random.shuffled(ALL) as [string, string];
  const value = () => pick(['true', 'true', 'inst', 'obs/shared']);
  // Both servers in one Pod are a documented departure.
  const several = chance(0.15) && !(SERVERS.includes(one) && SERVERS.includes(other));
  const isServer = SERVERS.includes(one) || (several && SERVERS.includes(other));
  const names = ['web', 'helper', 'web,helper', ...(NOT_IN_INIT_CONTAINERS.includes(one) ? [] : ['setup'])];
  return {
    [`${PREFIX}/inject-${one}`]: value(),
    ...(several && {
      [`${PREFIX}/inject-${other}`]: value(),
      [containerNames(one)]: 'web',
      [containerNames(other)]: 'helper',
    }),
    ...(!several && chance(0.3) && { [`${PREFIX}/container-names`]: pick(names) }),
    ...((one === 'go' || other === 'go') && { [`${PREFIX}/otel-go-auto-target-exe`]: '/app' }),
    ...(chance(0.1) && { [`${PREFIX}/otel-python-platform`]: 'musl' }),
    ...(chance(0.1) && { [`${PREFIX}/otel-dotnet-auto-runtime`]: 'linux-musl-x64' }),
    ...(chance(0.15) && { 'resource.opentelemetry.io/service.name': 'till' }),
    ...(chance(0.1) && !isServer && { 'resource.opentelemetry.io/service.namespace': 'eu' }),
    ...(chance(0.1) && { 'resource.opentelemetry.io/zone': 'z1' }),
    ...(chance(0.1) && { 'resource.opentelemetry.io/k8s.deployment.name': 'mine' }),
  };
}

function randomCase(random: Random, annotations: JsonObject): OperatorCase {
  const { chance } = random;
  // In a Job, and beside attributes of the application, Go's agent is a documented departure.
  const isGo = JSON.stringify(annotations).includes('inject-go');
  const owner = randomOwner(random, isGo);
  const container = (name: string) => randomContainer(random, name, isGo);
  const spec: JsonObject = {
    ...((chance(0.25) || JSON.stringify(annotations).includes('setup')) && {
      initContainers: [container('setup')],
    }),
    containers: [
      container('web'),
      // Lists of names may name it.
      ...(chance(0.3) || JSON.stringify(annotations).includes('helper') ? [container('helper')] : []),
    ],
    ...(chance(0.2) && { volumes: [{ name: 'data', emptyDir: {} }] }),
    ...(chance(0.1) && { nodeName: 'node-1' }),
    ...(chance(0.1) && { securityContext: { runAsUser: 5 } }),
    ...(chance(0.1) && { shareProcessNamespace: true }),
  };
  return {
    languages: ALL,
    multi: true,
    native: chance(0.5),
    isStored: chance(0.5),
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
      randomInstrumentation(random, NAMESPACE, 'inst'),
      randomInstrumentation(random, 'obs', 'shared'),
      randomCollector(random, NAMESPACE, 'col'),
      randomCollector(random, 'obs', 'shared'),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'authority', namespace: NAMESPACE } },
      { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'client', namespace: NAMESPACE } },
      ...owner.objects,
    ],
    pod: {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        ...owner.metadata,
        namespace: NAMESPACE,
        labels: { ...owner.labels, ...labels(random) },
        annotations,
      },
      spec,
    } as unknown as KubeObject,
  };
}

function labels({ chance }: Random): object {
  return {
    ...(chance(0.3) && { 'app.kubernetes.io/name': 'till', 'app.kubernetes.io/version': '2.1' }),
    ...(chance(0.1) && { 'app.kubernetes.io/instance': 'till-eu' }),
  };
}

function randomContainer(random: Random, name: string, isGo: boolean): JsonObject {
  const { chance, pick } = random;
  const env = random.some<JsonObject>(
    [
      { name: 'COLOUR', value: 'blue' },
      { name: 'JAVA_TOOL_OPTIONS', value: '-Xmx1g' },
      { name: 'NODE_OPTIONS', value: '--max-old-space-size=4096' },
      { name: 'PYTHONPATH', value: '/app' },
      { name: 'OTEL_SERVICE_NAME', value: 'mine' },
      { name: 'OTEL_RESOURCE_ATTRIBUTES', value: pick(['a=b', 'team=red,service.version=9', 'a=b,']) },
      { name: 'OTEL_TRACES_SAMPLER', value: 'always_off' },
      { name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: 'http://mine:4317' },
    ],
    0.1,
  );
  const entries = env.filter((entry) => !isGo || entry.name !== 'OTEL_RESOURCE_ATTRIBUTES');
  return {
    name,
    image: pick(['web:1.2', 'web', `registry.example:5000/web@${DIGEST}`, `web:1@${DIGEST}`]),
    ...(entries.length > 0 && { env: entries }),
    ...(chance(0.2) && { securityContext: { runAsUser: 1000, allowPrivilegeEscalation: false } }),
    ...(chance(0.2) && { volumeMounts: [{ name: 'data', mountPath: pick(['/data', '/tmp']) }] }),
    ...(chance(0.2) && { ports: [{ containerPort: 8080 }] }),
    ...(chance(0.1) && { envFrom: [{ configMapRef: { name: 'more' } }] }),
    ...(chance(0.2) && { resources: { limits: { cpu: '1' } } }),
  };
}

interface Owner {
  readonly metadata: object;
  readonly labels: object;
  readonly objects: readonly KubeObject[];
}

function randomOwner({ pick }: Random, isNotJob: boolean): Owner {
  const owners: readonly [string, string, [string, string]?][] = [
    ['', 'alone'],
    ['ReplicaSet', 'web-5d4f8', ['Deployment', 'web']],
    ['ReplicaSet', 'web-5d4f8', ['Deployment', 'web']],
    ['ReplicaSet', 'bare'],
    ['StatefulSet', 'db'],
    ['DaemonSet', 'agent'],
    ['Job', 'nightly-28471234', ['CronJob', 'nightly']],
    ['Job', 'once'],
  ];
  const [kind, name, above] = pick(isNotJob ? owners.slice(0, 6) : owners);
  if (kind === '') return { metadata: { name }, labels: {}, objects: [] };
  const object = {
    apiVersion: versionOf(kind),
    kind,
    metadata: {
      name,
      namespace: NAMESPACE,
      uid: `uid-${name}`,
      ...(above && { ownerReferences: [reference(...above)] }),
    },
  } as KubeObject;
  const top = above && {
    apiVersion: versionOf(above[0]),
    kind: above[0],
    metadata: { name: above[1], namespace: NAMESPACE, uid: `uid-${above[1]}` },
  };
  return {
    metadata: { generateName: `${name}-`, ownerReferences: [reference(kind, name)] },
    labels: kind === 'ReplicaSet' && above ? { 'pod-template-hash': '5d4f8' } : {},
    objects: [object, ...(top ? [top as KubeObject] : [])],
  };
}

function reference(kind: string, name: string): object {
  return { apiVersion: versionOf(kind), kind, name, uid: `uid-${name}`, controller: true };
}

function versionOf(kind: string): string {
  return kind === 'Job' || kind === 'CronJob' ? 'batch/v1' : 'apps/v1';
}

/** A case that needs the rule of a documented departure. */
export function oddCase(random: Random): OperatorCase {
  return random.pick(Object.values(DEPARTURES)).change(plainCase(random));
}
