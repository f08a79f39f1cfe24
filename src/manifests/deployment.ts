import { createHash } from 'node:crypto';
import { configMapData, configMapItems } from './config-map.ts';
import type { FieldComment, Manifest } from './manifest.ts';
import { type ManifestSettings, metadataFor, selectorLabels } from './settings.ts';

const CONFIG_DIR = '/etc/podgraft';
const TLS_DIR = '/etc/podgraft-tls';
const PORT = 8443;
const METRICS_PORT = 9090;
const PRE_STOP_SECONDS = 5;
/** `nonroot` of the base image. */
const USER = 65532;

export function deployment(settings: ManifestSettings): Manifest {
  const { name, replicas, files } = settings;
  const labels = selectorLabels(name);
  return {
    object: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: metadataFor(settings),
      spec: {
        replicas,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        selector: { matchLabels: labels },
        template: {
          metadata: {
            labels: metadataFor(settings).labels,
            annotations: { 'podgraft.dev/config-hash': hashOf(configMapData(files)) },
          },
          spec: podSpec(settings),
        },
      },
    },
    comments,
  };
}

/** Of what is in the ConfigMap, in the order of keys: the chart computes the same. */
function hashOf(data: { readonly [key: string]: string }): string {
  const hash = createHash('sha256');
  for (const key of Object.keys(data).sort()) hash.update(`${key}\n${data[key]}\n`);
  return hash.digest('hex');
}

function podSpec(settings: ManifestSettings) {
  const { name, files, tls } = settings;
  const isMounted = tls.mode === 'cert-manager' || tls.mode === 'secret';
  const spread = (topologyKey: string) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels: selectorLabels(name) },
  });
  return {
    serviceAccountName: name,
    terminationGracePeriodSeconds: 40,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    topologySpreadConstraints: [spread('topology.kubernetes.io/zone'), spread('kubernetes.io/hostname')],
    containers: [container(settings, isMounted)],
    volumes: [
      { name: 'config', configMap: { name, items: configMapItems(files) } },
      ...(isMounted ? [{ name: 'tls', secret: { secretName: tls.secret, defaultMode: 0o440 } }] : []),
    ],
  };
}

function container(settings: ManifestSettings, isTlsMounted: boolean) {
  const probe = (path: string) => ({ httpGet: { path, port: 'metrics' } });
  return {
    name: 'podgraft',
    image: settings.image,
    args: serveArgs(settings),
    ports: [
      { name: 'https', containerPort: PORT },
      { name: 'metrics', containerPort: METRICS_PORT },
    ],
    startupProbe: { ...probe('/healthz'), periodSeconds: 2, failureThreshold: 60 },
    readinessProbe: { ...probe('/readyz'), periodSeconds: 5, failureThreshold: 2 },
    livenessProbe: { ...probe('/healthz'), periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 6 },
    lifecycle: { preStop: { sleep: { seconds: PRE_STOP_SECONDS } } },
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'config', mountPath: CONFIG_DIR, readOnly: true },
      ...(isTlsMounted ? [{ name: 'tls', mountPath: TLS_DIR, readOnly: true }] : []),
    ],
  };
}

function serveArgs({ name, tls }: ManifestSettings): readonly string[] {
  return [
    'serve',
    `--config=${CONFIG_DIR}/podgraft.yaml`,
    `--port=${PORT}`,
    `--metrics-port=${METRICS_PORT}`,
    ...(tls.mode === 'self-managed'
      ? [`--service=${name}`, `--secret=${tls.secret}`, `--webhook=${name}`]
      : [`--tls-dir=${TLS_DIR}`]),
  ];
}

const POD = ['spec', 'template', 'spec'];
const CONTAINER = [...POD, 'containers', 0];

const comments: readonly FieldComment[] = [
  [['spec', 'strategy'], 'A new Pod is ready before an old one goes: there is always somebody to ask.'],
  [['spec', 'template', 'metadata', 'annotations'], 'A changed configuration makes new Pods.'],
  [
    [...POD, 'terminationGracePeriodSeconds'],
    'The sleep of preStop, up to 25 s for reviews that are under way, and something to spare.',
  ],
  [
    [...POD, 'securityContext'],
    'The "restricted" Pod Security Standard. fsGroup is for reading mounted keys.',
  ],
  [
    [...POD, 'topologySpreadConstraints'],
    'Not all replicas in one zone or on one node, where there are more.',
  ],
  [
    [...CONTAINER, 'readinessProbe'],
    'Ready when there is a certificate and all that is watched was listed once.',
  ],
  [
    [...CONTAINER, 'lifecycle'],
    'A Pod that is deleted is no longer an endpoint, but nodes learn of it a moment later: until then it answers as if\n' +
      'nothing were. SIGTERM comes afterwards, when nobody new should come: the server stops listening at once (so it needs no\n' +
      '--drain-delay, which is for servers that are not stopped by a kubelet), and asks for kept connections to be closed.',
  ],
  [[...CONTAINER, 'resources'], 'No CPU limit: throttling would be felt in every Pod that is created.'],
];
