import type { JsonObject } from '../src/json/json.ts';

export interface Sample {
  readonly title: string;
  readonly pod: JsonObject;
}

/** Pods with one fault each, and its place. Checked against podgraft's rules, and against a real API server. */
export const INVALID: readonly (Sample & { readonly path: string })[] = [
  web('duplicate port names', '/ports/1/name', {
    ports: [
      { name: 'http', containerPort: 80 },
      { name: 'http', containerPort: 81 },
    ],
  }),
  web('a port name that is too long', '/ports/0/name', {
    ports: [{ name: 'a-very-long-name', containerPort: 80 }],
  }),
  web('a port name without a letter', '/ports/0/name', { ports: [{ name: '80', containerPort: 80 }] }),
  web('a port beyond 65535', '/ports/0/containerPort', { ports: [{ containerPort: 65536 }] }),
  web('an unknown protocol', '/ports/0/protocol', { ports: [{ containerPort: 80, protocol: 'HTTP' }] }),
  web('duplicate host ports', '/ports/1/hostPort', {
    ports: [
      { containerPort: 80, hostPort: 80 },
      { containerPort: 81, hostPort: 80 },
    ],
  }),
  web('a probe without a handler', '/livenessProbe', { livenessProbe: { periodSeconds: 5 } }),
  web('a probe with two handlers', '/readinessProbe', {
    readinessProbe: { exec: { command: ['true'] }, tcpSocket: { port: 80 } },
  }),
  web('a probe of port 0', '/startupProbe/httpGet/port', { startupProbe: { httpGet: { port: 0 } } }),
  web('a probe that needs two successes', '/livenessProbe/successThreshold', {
    livenessProbe: { exec: { command: ['true'] }, successThreshold: 2 },
  }),
  web('a negative period', '/readinessProbe/periodSeconds', {
    readinessProbe: { exec: { command: ['true'] }, periodSeconds: -1 },
  }),
  web('a hook without a command', '/lifecycle/preStop/exec/command', {
    lifecycle: { preStop: { exec: {} } },
  }),
  web('an image with a space before it', '/image', { image: ' nginx' }),
  web('a negative user', '/securityContext/runAsUser', { securityContext: { runAsUser: -1 } }),
  web('an unknown restart policy', '/restartPolicy', { restartPolicy: 'Odd' }),
  web(
    'a mount outside of its volume',
    '/volumeMounts/0/subPath',
    { volumeMounts: [{ name: 'v', mountPath: '/x', subPath: '../y' }] },
    { volumes: [{ name: 'v' }] },
  ),
  web('a mount without a volume', '/volumeMounts/0/name', {
    volumeMounts: [{ name: 'nowhere', mountPath: '/x' }],
  }),
  web(
    'duplicate mount paths',
    '/volumeMounts/1/mountPath',
    {
      volumeMounts: [
        { name: 'v', mountPath: '/x' },
        { name: 'v', mountPath: '/x', subPath: 'y' },
      ],
    },
    { volumes: [{ name: 'v' }] },
  ),
  web('a request above its limit', '/resources/requests/cpu', {
    resources: { limits: { cpu: '500m' }, requests: { cpu: '1' } },
  }),
  web('a negative request', '/resources/requests/cpu', { resources: { requests: { cpu: '-1' } } }),
  web('an env name with "="', '/env/0/name', { env: [{ name: 'A=B' }] }),
  web('an env entry with value and valueFrom', '/env/0', {
    env: [{ name: 'A', value: 'b', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
  }),
  web('an env entry without a source', '/env/0/valueFrom', { env: [{ name: 'A', valueFrom: {} }] }),
  web('an unknown imagePullPolicy', '/imagePullPolicy', { imagePullPolicy: 'Sometimes' }),
  web('no image', '/image', { image: '' }),
  web('privileged without privilege escalation', '/securityContext/allowPrivilegeEscalation', {
    securityContext: { privileged: true, allowPrivilegeEscalation: false },
  }),
  web('a container name that is too long', '/name', { name: 'a'.repeat(64) }),
  web('a container name that is not a DNS label', '/name', { name: 'My_App' }),
  other('duplicate container names', '/spec/initContainers/0/name', {
    initContainers: [{ name: 'web', image: 'nginx' }],
  }),
  other('a probe in an init container', '/spec/initContainers/0/livenessProbe', {
    initContainers: [{ name: 'setup', image: 'setup', livenessProbe: { tcpSocket: { port: 80 } } }],
  }),
  other('a volume without a name', '/spec/volumes/0/name', { volumes: [{ emptyDir: {} }] }),
  other('duplicate volume names', '/spec/volumes/1/name', { volumes: [{ name: 'v' }, { name: 'v' }] }),
  other('a volume with two sources', '/spec/volumes/0', {
    volumes: [{ name: 'v', emptyDir: {}, hostPath: { path: '/x' } }],
  }),
  other('an unknown restartPolicy', '/spec/restartPolicy', { restartPolicy: 'Sometimes' }),
  other('an unknown dnsPolicy', '/spec/dnsPolicy', { dnsPolicy: 'Bogus' }),
  other('dnsPolicy None without nameservers', '/spec/dnsConfig/nameservers', { dnsPolicy: 'None' }),
  other('a shared process namespace with hostPID', '/spec/shareProcessNamespace', {
    shareProcessNamespace: true,
    hostPID: true,
  }),
  shared('containers that request more than the Pod', '/spec/resources/requests/memory', {
    resources: { requests: { memory: '100Mi' } },
    containers: [requesting('a', '100Mi'), requesting('b', '128Mi')],
  }),
  shared(
    'an init container that requests more than the Pod, with a sidecar',
    '/spec/resources/requests/memory',
    {
      resources: { requests: { memory: '100Mi' } },
      initContainers: [sidecar('proxy', '60Mi'), requesting('setup', '50Mi')],
      containers: [requesting('web', '10Mi')],
    },
  ),
  shared('containers that request more than the Pod, with a sidecar', '/spec/resources/requests/memory', {
    resources: { requests: { memory: '100Mi' } },
    initContainers: [requesting('setup', '50Mi'), sidecar('proxy', '60Mi')],
    containers: [requesting('web', '50Mi')],
  }),
  shared('a limit that becomes a request above that of the Pod', '/spec/resources/requests/memory', {
    resources: { requests: { memory: '100Mi' } },
    initContainers: [
      { name: 'proxy', image: 'proxy', restartPolicy: 'Always', resources: { limits: { memory: '1Gi' } } },
    ],
  }),
  shared('containers that request more than the limit of the Pod', '/spec/resources/requests/memory', {
    resources: { limits: { memory: '100Mi' } },
    containers: [requesting('web', '128Mi')],
  }),
  shared('a limit above that of the Pod', '/spec/containers/0/resources/limits/cpu', {
    resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } },
    containers: [
      { name: 'web', image: 'nginx', resources: { requests: { cpu: '50m' }, limits: { cpu: '2' } } },
    ],
  }),
  shared('a request of the Pod above its limit', '/spec/resources/requests/cpu', {
    resources: { requests: { cpu: '1' }, limits: { cpu: '200m' } },
  }),
  { title: 'a label that is too long', path: '/metadata/labels/a', pod: labelled('x'.repeat(64)) },
];

export const VALID: readonly Sample[] = [
  { title: 'a label of 63 characters', pod: labelled('x'.repeat(63)) },
  web('one port for two protocols', '', {
    ports: [
      { name: 'dns', containerPort: 53, hostPort: 53, protocol: 'UDP' },
      { name: 'dns-tcp', containerPort: 53, hostPort: 53 },
    ],
  }),
  web('a repeated env name', '', { env: [{ name: 'A', value: '1' }, { name: 'A' }] }),
  web('an env name with spaces', '', { env: [{ name: 'my env.name-1' }] }),
  web('equal amounts, written differently', '', {
    resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1000m', memory: '1024Mi' } },
  }),
  other('a sidecar with probes and its own host port', '', {
    initContainers: [
      {
        name: 'proxy',
        image: 'proxy',
        restartPolicy: 'Always',
        startupProbe: { tcpSocket: { port: 80 } },
        ports: [{ containerPort: 80, hostPort: 80 }],
      },
      { name: 'other', image: 'other', ports: [{ containerPort: 80, hostPort: 80 }] },
    ],
  }),
  shared('containers that request exactly as much as the Pod', '', {
    resources: { requests: { memory: '110Mi' }, limits: { memory: '1Gi' } },
    initContainers: [requesting('one', '50Mi'), sidecar('proxy', '60Mi'), requesting('two', '50Mi')],
    containers: [requesting('a', '25Mi'), requesting('b', '25Mi')],
  }),
  shared('an init container with a limit above that of the Pod', '', {
    resources: { requests: { cpu: '100m' }, limits: { cpu: '200m' } },
    initContainers: [
      { name: 'setup', image: 'setup', resources: { requests: { cpu: '50m' }, limits: { cpu: '2' } } },
    ],
  }),
  shared('a limit of the Pod above those of its containers together', '', {
    resources: { limits: { cpu: '1', memory: '1Gi' } },
    containers: [{ name: 'web', image: 'nginx', resources: { limits: { cpu: '500m', memory: '1Gi' } } }],
  }),
];

function web(title: string, path: string, fields: JsonObject, spec: JsonObject = {}) {
  const containers = [{ name: 'web', image: 'nginx', ...fields }];
  return { title, path: `/spec/containers/0${path}`, pod: { metadata: {}, spec: { ...spec, containers } } };
}

function other(title: string, path: string, spec: JsonObject) {
  const containers = [{ name: 'web', image: 'nginx' }];
  return { title, path, pod: { metadata: {}, spec: { containers, ...spec } } };
}

/** A Pod, and not a template: the API server fills its requests with its limits. */
function shared(title: string, path: string, spec: JsonObject) {
  const sample = other(title, path, spec);
  return { ...sample, pod: { kind: 'Pod', ...sample.pod } };
}

function requesting(name: string, memory: string): JsonObject {
  return { name, image: name, resources: { requests: { memory } } };
}

function sidecar(name: string, memory: string): JsonObject {
  return { ...requesting(name, memory), restartPolicy: 'Always' };
}

function labelled(value: string): JsonObject {
  return { metadata: { labels: { a: value } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
}
