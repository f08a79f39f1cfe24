import type { JsonObject } from '../../src/json/json.ts';

/** Pods as users write them. */
export const PODS: { readonly [title: string]: JsonObject } = {
  plain: { spec: { containers: [{ name: 'app', image: 'app:1' }] } },
  full: {
    metadata: { labels: { app: 'web', tier: 'front' }, annotations: { 'example.com/a': '1' } },
    spec: {
      subdomain: 'full',
      terminationGracePeriodSeconds: 10,
      imagePullSecrets: [{ name: 'mine' }],
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ key: 'spot', operator: 'Exists', effect: 'NoSchedule' }],
      securityContext: { runAsUser: 1000 },
      initContainers: [{ name: 'init', image: 'init:1' }],
      containers: [
        {
          name: 'app',
          image: 'docker.io/app:1',
          args: ['serve'],
          env: [
            { name: 'JAVA_TOOL_OPTIONS', value: '-Xmx1g' },
            { name: 'MODE', value: 'a' },
            { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
          ],
          ports: [{ containerPort: 80, name: 'http' }],
          resources: { limits: { cpu: '50m' }, requests: { memory: '1Gi' } },
          livenessProbe: { httpGet: { path: '/live', port: 80 }, timeoutSeconds: 2 },
          volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
          securityContext: { capabilities: { drop: ['NET_RAW'] } },
        },
        { name: 'app-log', image: 'log:1', env: [{ name: 'EMPTY' }], resources: { requests: { cpu: '2' } } },
        { name: 'debug-1', image: 'debug:1' },
      ],
      volumes: [
        { name: 'tmp', emptyDir: {} },
        { name: 'cfg', configMap: { name: 'cfg' } },
      ],
    },
  },
  'with resources for all containers': {
    spec: {
      resources: { requests: { cpu: '1', memory: '1Gi' }, limits: { cpu: '4', memory: '4Gi' } },
      initContainers: [{ name: 'init', image: 'init:1' }],
      containers: [
        { name: 'app', image: 'app:1', resources: { requests: { cpu: '50m' } } },
        { name: 'app-log', image: 'log:1' },
      ],
    },
  },
  'with a request for all containers': {
    spec: {
      resources: { requests: { cpu: '1' } },
      containers: [
        { name: 'app', image: 'app:1', resources: { limits: { memory: '256Mi' } } },
        { name: 'app-log', image: 'log:1', resources: { limits: {} } },
      ],
    },
  },
};

/** Typical overlays, and edge cases of every merge rule. */
export const OVERLAYS: { readonly [title: string]: JsonObject } = {
  labels: { metadata: { labels: { app: 'other', team: 'a' }, annotations: { 'example.com/b~c': "it's" } } },
  forced: {
    metadata: { labels: { app: { $force: 'other' }, tier: { $absent: true }, x: { $absent: true } } },
  },
  scalars: {
    spec: {
      hostname: 'high',
      terminationGracePeriodSeconds: { $atLeast: 20 },
      automountServiceAccountToken: false,
      enableServiceLinks: { $force: false },
      dnsPolicy: { $force: 'Default' },
      hostNetwork: false,
      securityContext: { runAsNonRoot: true, runAsUser: 5 },
      nodeSelector: { disk: 'hdd', 'example.com/zone': 'a' },
    },
  },
  sets: {
    spec: {
      tolerations: [
        { key: 'spot', operator: 'Exists' },
        { key: 'gpu', operator: 'Equal', value: 'yes', effect: 'NoExecute', tolerationSeconds: 30 },
      ],
      imagePullSecrets: [{ name: 'mine' }, { name: 'regcred' }],
      containers: [{ name: '*', securityContext: { capabilities: { drop: ['ALL'] } } }],
    },
  },
  'removed from sets': {
    spec: { tolerations: [{ $absent: { key: 'spot' } }, { key: 'x', operator: 'Exists' }] },
  },
  containers: {
    spec: {
      containers: [
        { name: 'app', command: ['run'], args: ['no'], env: [{ name: 'A', value: '1' }] },
        { name: 'sidecar', image: 'side:1', env: [{ name: 'B', value: '2' }] },
        { $absent: { name: 'debug-*' } },
        { name: '*', imagePullPolicy: 'Always', env: [{ name: 'C', value: '3' }] },
        {
          name: 'app*',
          env: [
            { name: 'C', value: '4' },
            { name: 'D', value: '5' },
          ],
        },
      ],
    },
  },
  environment: {
    spec: {
      containers: [
        {
          name: '*',
          env: [
            { name: 'MODE', value: { $force: 'b' } },
            { name: 'EMPTY', value: 'filled' },
            { name: 'NODE', value: { $force: 'x' } },
            {
              name: 'JAVA_TOOL_OPTIONS',
              value: { $tokens: { separator: ' ', parts: ['-Xmx1g', '-Da=b', "-Dq='"] } },
            },
            { name: 'HOST', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } },
          ],
          envFrom: [{ configMapRef: { name: 'env' } }],
        },
      ],
    },
  },
  resources: {
    spec: {
      containers: [
        {
          name: '*',
          resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '512Mi' } },
        },
      ],
    },
  },
  'resources of an added container': {
    spec: {
      containers: [
        {
          name: 'proxy',
          image: 'proxy:1',
          resources: { requests: { cpu: '100m', memory: '128Mi', 'ephemeral-storage': '1Gi' } },
        },
      ],
      initContainers: [
        { name: 'setup', image: 'setup:1', resources: { limits: { cpu: '1', memory: { $force: '1Gi' } } } },
      ],
    },
  },
  'resources of an added container by a pattern': {
    spec: {
      containers: [
        { name: 'proxy', image: 'proxy:1' },
        { name: '*', resources: { requests: { cpu: { $atLeast: '100m' }, memory: '128Mi' } } },
      ],
    },
  },
  'least resources': {
    spec: { containers: [{ name: 'app*', resources: { requests: { cpu: { $atLeast: '75m' } } } }] },
  },
  'forced resources': {
    spec: { containers: [{ name: '*', resources: { limits: { cpu: { $force: '3000m' } } } }] },
  },
  probes: {
    spec: {
      containers: [
        {
          name: '*',
          livenessProbe: { timeoutSeconds: { $force: 5 }, periodSeconds: { $atLeast: 30 } },
          readinessProbe: { tcpSocket: { port: 80 } },
          startupProbe: { failureThreshold: 9 },
        },
      ],
    },
  },
  volumes: {
    spec: {
      volumes: [
        { name: '*', emptyDir: { sizeLimit: { $force: '1Gi' } } },
        { name: 'cfg', secret: { secretName: 's' } },
        { name: 'ca', configMap: { name: 'ca', items: [{ key: 'a', path: 'b' }], defaultMode: 420 } },
      ],
      containers: [
        {
          name: '*',
          volumeMounts: [
            { name: 'ca', mountPath: '/ca', readOnly: true },
            { name: 'ca', mountPath: '/tmp' },
          ],
        },
      ],
    },
  },
  'forced volume': { spec: { volumes: [{ name: 'cfg', emptyDir: { $force: { medium: 'Memory' } } }] } },
  ports: {
    spec: {
      containers: [
        {
          name: 'app',
          ports: [
            { containerPort: 80, name: 'web' },
            { containerPort: 80, protocol: 'UDP' },
          ],
        },
      ],
    },
  },
  places: {
    spec: {
      initContainers: [
        { name: 'one', image: 'i:1', $at: 'first' },
        { name: 'two', image: 'i:2', $at: 'first' },
      ],
      containers: [
        { name: 'late', image: 'c:1' },
        { name: 'middle', image: 'c:2', $at: { before: 'app-log' } },
        { name: 'next', image: 'c:3', $at: { after: 'app' } },
        { name: 'lost', image: 'c:4', $at: { before: 'nobody' } },
        { name: '*', env: [{ name: 'Z', value: 'z', $at: 'first' }] },
      ],
    },
  },
};
