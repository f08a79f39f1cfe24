import type { Json, JsonObject } from '../../../src/json/json.ts';
import type { Random } from '../../fuzz/random.ts';

/** A Pod as injection produces it: valid except for a few mistakes. */
export function randomInjectedPod(random: Random): JsonObject {
  const { chance, pick, int } = random;
  const mistakes = int(3);
  const values = Array.from({ length: mistakes }, () => int(1_000_000));
  const wrong = new Set(values.map((value) => value % MISTAKES));
  /** The value, or a wrong one if this is a mistake of the Pod. */
  const or = (mistake: number, value: Json, wrongs: readonly Json[]) =>
    wrong.has(mistake) ? pick(wrongs) : value;
  const container = (name: Json, isInit: boolean): JsonObject => ({
    name,
    image: or(0, pick(['web:1', 'registry:5000/web@sha256:0123']), ['', ' web', null]),
    ...(chance(0.5) && {
      ports: [
        {
          name: or(1, 'http', ['HTTP', 'a--b', 'name-that-is-too-long', '80', 'http-']),
          containerPort: or(2, 8080 + int(3), [0, 70_000, -1]),
          protocol: or(3, pick(['TCP', 'UDP']), ['tcp', 'QUIC']),
        },
        ...(chance(0.3)
          ? [{ containerPort: 8080, name: or(4, 'metrics', ['http']), hostPort: or(5, 8080, [70_000, -1]) }]
          : []),
      ],
    }),
    ...(chance(0.5) && {
      env: [
        { name: or(6, 'A', ['', 'A=B', 'ä', 'a b', '\n']), value: '1' },
        {
          name: 'NODE',
          ...(or(7, {}, [{ value: 'x' }]) as JsonObject),
          valueFrom: or(
            8,
            pick<Json>([
              { fieldRef: { fieldPath: 'spec.nodeName' } },
              { secretKeyRef: { name: 's', key: 'k' } },
              { configMapKeyRef: { name: 'c', key: 'k', optional: true } },
              { resourceFieldRef: { resource: 'limits.cpu' } },
            ]),
            [
              {},
              { fieldRef: { fieldPath: 'spec.nothing' } },
              { secretKeyRef: { name: 's' } },
              { configMapKeyRef: { key: 'k' } },
              { resourceFieldRef: { resource: 'limits.wheels' } },
              { fieldRef: { fieldPath: 'spec.nodeName' }, secretKeyRef: { name: 's', key: 'k' } },
              { secretKeyRef: { name: 's', key: 'a/b' } },
              { fieldRef: {} },
            ],
          ),
        },
      ],
    }),
    ...(chance(0.2) && {
      envFrom: [
        or(9, { configMapRef: { name: 'more' } }, [
          {},
          { configMapRef: {} },
          { secretRef: { name: 'S S' } },
          { prefix: 'a=', secretRef: { name: 's' } },
        ]),
      ],
    }),
    ...(chance(0.6) && {
      volumeMounts: [
        {
          name: or(10, 'data', ['missing', '', 'DATA']),
          mountPath: or(11, '/data', ['', '/a:b', null]),
          ...(or(12, {}, [
            { subPath: '/absolute' },
            { subPath: '../up' },
            { subPath: 'a', subPathExpr: 'b' },
            { mountPropagation: 'Sideways' },
            { mountPropagation: 'Bidirectional' },
            { recursiveReadOnly: 'Enabled' },
          ]) as JsonObject),
        },
        { name: 'settings', mountPath: or(13, '/settings', ['/data']), readOnly: true },
      ],
    }),
    ...(chance(0.4) && {
      resources: {
        limits: { cpu: or(14, '1', ['-1', '0.5']), memory: '1Gi' },
        requests: { cpu: or(15, '100m', ['-100m', '2']), memory: or(16, '1Gi', ['2Gi']) },
        ...(or(17, {}, [
          { limits: { 'example.com/gpu': '1' }, requests: { 'example.com/gpu': '2' } },
          { limits: { wheels: '1' } },
          { requests: { 'example.com/gpu': '1' } },
          { claims: [{ name: 'nothing' }] },
          { limits: { 'ephemeral-storage': '1Gi', 'hugepages-2Mi': '1Mi' } },
        ]) as JsonObject),
      },
    }),
    ...(chance(0.4) && {
      securityContext: or(18, { runAsUser: 1000, allowPrivilegeEscalation: false }, [
        { privileged: true, allowPrivilegeEscalation: false },
        { runAsUser: -1 },
        { runAsGroup: -5 },
        { capabilities: { add: ['CAP_SYS_ADMIN'] }, allowPrivilegeEscalation: false },
        { procMount: 'Unmasked' },
        { seccompProfile: { type: 'Localhost' } },
        { seccompProfile: { type: 'Odd' } },
        { appArmorProfile: { type: 'Localhost' } },
      ]),
    }),
    ...(chance(0.3) && {
      imagePullPolicy: or(19, 'Always', ['Sometimes']),
      terminationMessagePolicy: or(20, 'File', ['Nowhere']),
      terminationMessagePath: '/dev/log',
    }),
    ...((!isInit || wrong.has(21)) &&
      chance(0.6) && {
        readinessProbe: {
          ...(or(
            22,
            pick<Json>([
              { httpGet: { port: 8080 } },
              { tcpSocket: { port: 'http' } },
              { exec: { command: ['true'] } },
              { grpc: { port: 8080 } },
            ]),
            [
              {},
              { httpGet: { port: 0 } },
              { httpGet: { port: 'NO PORT' } },
              { httpGet: { port: 8080 }, tcpSocket: { port: 8080 } },
              { exec: {} },
              { grpc: { port: 70_000 } },
              { httpGet: { port: 80, scheme: 'FTP' } },
              { httpGet: { port: 80, httpHeaders: [{ name: 'a b', value: 'c' }] } },
            ],
          ) as JsonObject),
          ...(or(23, { periodSeconds: 5 }, [
            { periodSeconds: -1 },
            { failureThreshold: -1 },
            { timeoutSeconds: -3 },
            { initialDelaySeconds: -3 },
            { terminationGracePeriodSeconds: 5 },
          ]) as JsonObject),
        },
        livenessProbe: { exec: { command: ['true'] }, successThreshold: or(24, 1, [2]) },
        ...(chance(0.4) && {
          lifecycle: or(25, { preStop: { sleep: { seconds: 5 } } }, [
            { preStop: {} },
            { preStop: { sleep: { seconds: 500 } } },
            { preStop: { exec: { command: ['a'] }, httpGet: { port: 80 } } },
            { postStart: { httpGet: { port: 80, path: '' } } },
            { stopSignal: 'SIGTERM' },
          ]),
        }),
      }),
    ...(isInit && chance(0.5) && { restartPolicy: or(26, 'Always', ['OnFailure', 'Odd']) }),
    ...(wrong.has(27) && { workingDir: 'relative', command: [''], args: [''] }),
  });
  const containers = [
    container(or(28, 'web', ['Web', '', 'a_b', 'a'.repeat(64), 'web.1']), false),
    ...(chance(0.5) ? [container(or(29, 'proxy', ['web']), false)] : []),
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(or(30, { name: 'web' }, [
        { name: 'Web_1' },
        { generateName: 'web-' },
        {},
        { name: 'web', namespace: 'A B' },
        { name: 'web', ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: '', uid: '' }] },
      ]) as JsonObject),
      labels: or(31, { app: 'web' }, [
        { app: 'a b' },
        { 'a/b/c': 'd' },
        { '': 'x' },
        { '-a': 'b' },
        { app: 'x'.repeat(64) },
      ]),
      annotations: or(32, { 'example.com/a': 'any text' }, [
        { 'a b': '' },
        { 'UPPER.example.com/a': 'b' },
        { 'example.com/a': 'x'.repeat(300_000) },
        { 'kubernetes.io/config.mirror': 'x' },
        { 'container.apparmor.security.beta.kubernetes.io/web': 'odd' },
      ]),
    },
    spec: {
      containers: or(33, containers, [[]]),
      ...(chance(0.4) && { initContainers: [container(or(34, 'setup', ['web', 'Setup']), true)] }),
      volumes: [
        {
          name: or(35, 'data', ['Data', 'settings', 'a.b']),
          ...(or(36, { emptyDir: {} }, VOLUME_MISTAKES) as JsonObject),
        },
        {
          name: 'settings',
          ...(pick<Json>([
            { configMap: { name: 'c' } },
            { secret: { secretName: 's' } },
            { projected: { sources: [{ configMap: { name: 'c' } }] } },
          ]) as JsonObject),
        },
      ],
      ...(chance(0.4) && { resources: or(38, POD_RESOURCES, POD_RESOURCE_MISTAKES) }),
      ...(or(37, {}, SPEC_MISTAKES) as JsonObject),
      ...(chance(0.2) && { hostNetwork: true }),
    },
  };
}

/** The number of places for a mistake. */
const MISTAKES = 39;

/** Enough for the requests of all containers. */
const POD_RESOURCES: JsonObject = { requests: { cpu: '4', memory: '4Gi' }, limits: { cpu: '8' } };

const POD_RESOURCE_MISTAKES: readonly JsonObject[] = [
  { requests: { cpu: '150m' } },
  { requests: { memory: '1.5Gi' } },
  { requests: { memory: '1Gi' }, limits: { cpu: '1', memory: '1Gi' } },
  { limits: { cpu: '900m' } },
  { limits: { cpu: '150m', memory: '1Gi' } },
  { limits: { memory: '1.5G' } },
  { limits: { cpu: '100m' }, requests: { cpu: '1' } },
  { requests: { cpu: '-1' } },
  { limits: { cpu: '8', 'hugepages-2Mi': '1Mi' } },
  { requests: { 'hugepages-2Mi': '2Mi' } },
  { requests: { 'ephemeral-storage': '1Gi' } },
  { limits: { wheels: '1' } },
  { claims: [{ name: 'nothing' }] },
  {},
];

const VOLUME_MISTAKES: readonly JsonObject[] = [
  { emptyDir: {}, configMap: { name: 'c' } },
  { configMap: {} },
  { secret: {} },
  { hostPath: {} },
  { hostPath: { path: '../up' } },
  { hostPath: { path: '/a', type: 'Odd' } },
  { emptyDir: { sizeLimit: '-1' } },
  { configMap: { name: 'c', items: [{ key: '', path: 'a' }] } },
  { configMap: { name: 'c', items: [{ key: 'a', path: '/a' }] } },
  { configMap: { name: 'c', defaultMode: 0o1777 } },
  { persistentVolumeClaim: {} },
  { projected: { sources: [{ serviceAccountToken: { path: 'token', expirationSeconds: 5 } }] } },
  { projected: { sources: [{ serviceAccountToken: { path: '' } }] } },
  { projected: { sources: [{}] } },
  {
    projected: {
      sources: [
        { configMap: { name: 'c', items: [{ key: 'a', path: 'x' }] } },
        { secret: { name: 's', items: [{ key: 'b', path: 'x' }] } },
      ],
    },
  },
  { downwardAPI: { items: [{ path: 'a' }] } },
  { downwardAPI: { items: [{ path: 'a', fieldRef: { fieldPath: 'spec.nothing' } }] } },
  { csi: {} },
  { image: {} },
];

const SPEC_MISTAKES: readonly JsonObject[] = [
  { restartPolicy: 'Odd' },
  { dnsPolicy: 'Odd' },
  { dnsPolicy: 'None' },
  { dnsPolicy: 'None', dnsConfig: { nameservers: ['odd'] } },
  { dnsConfig: { nameservers: ['1.1.1.1', '1.1.1.2', '1.1.1.3', '1.1.1.4'] } },
  { dnsConfig: { options: [{ value: 'x' }] } },
  { dnsConfig: { searches: ['A b'] } },
  { shareProcessNamespace: true, hostPID: true },
  { serviceAccountName: 'A B' },
  { nodeName: 'A B' },
  { nodeSelector: { 'a b': 'c' } },
  { imagePullSecrets: [{}] },
  { hostAliases: [{ ip: 'odd', hostnames: ['a'] }] },
  { tolerations: [{ key: 'a', operator: 'Odd' }] },
  { tolerations: [{ operator: 'Exists', value: 'x' }] },
  { tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 5 }] },
  { priorityClassName: 'A B' },
  { hostname: 'a.b' },
  { subdomain: 'A' },
  { activeDeadlineSeconds: 0 },
  { terminationGracePeriodSeconds: -1 },
  { securityContext: { fsGroup: -1 } },
  { securityContext: { runAsUser: -1 } },
  { securityContext: { sysctls: [{ name: 'A', value: '1' }] } },
  { securityContext: { supplementalGroups: [-1] } },
  { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'Odd' }] },
  { schedulingGates: [{ name: 'A B' }] },
  { readinessGates: [{ conditionType: 'A B' }] },
  { runtimeClassName: 'A B' },
  { overhead: { cpu: '-1' } },
  { os: { name: 'odd' } },
  { ephemeralContainers: [{ name: 'debug', image: 'busybox' }] },
  {
    affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
  },
  { schedulerName: 'A B' },
];
