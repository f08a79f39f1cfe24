import type { JsonObject } from '../../src/json/json.ts';

const TIER = "has(object.metadata.labels) && 'tier' in object.metadata.labels";
const MANY = 'size(object.spec.containers) > 1';

/** Settings of overlays whose parts depend on the object, with every place that can have an expression. */
export const CONDITIONAL_OVERLAYS: { readonly [title: string]: JsonObject } = {
  'values of fields': {
    overlay: {
      metadata: {
        labels: {
          team: { $cel: "object.metadata.?labels['app'].orValue('none')" },
          tier: { $force: { $cel: "object.metadata.labels['tier'].upperAscii()" }, $when: TIER },
          copy: { $cel: "object.metadata.?labels['app']" },
          nothing: { $cel: "object.metadata.?labels['nope']" },
          empty: { $cel: "object.metadata.?labels['nope'].orValue('')" },
        },
        annotations: {
          containers: { $cel: 'string(size(object.spec.containers))' },
          namespace: { $cel: 'request.namespace // where it runs' },
          ns: { $cel: 'namespaceObject.metadata.name' },
        },
      },
      spec: {
        terminationGracePeriodSeconds: { $atLeast: { $cel: '10 + 2 * size(object.spec.containers)' } },
        hostNetwork: { $cel: 'size(object.spec.containers) > 100' },
        securityContext: { fsGroup: { $cel: 'object.spec.?securityContext.?runAsUser' } },
      },
    },
  },
  'conditional fields': {
    overlay: {
      metadata: {
        labels: { $when: 'has(object.metadata.labels)', app: 'other', new: 'yes' },
        annotations: {
          gone: { $absent: true, $when: 'true' },
          'example.com/a': { $absent: true, $when: MANY },
        },
      },
      spec: {
        $when: 'size(object.spec.containers) > 0',
        nodeSelector: { $when: MANY, zone: 'b', disk: { $force: 'hdd' } },
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              {
                weight: 100,
                podAffinityTerm: {
                  topologyKey: 'kubernetes.io/hostname',
                  labelSelector: {
                    matchLabels: { app: { $cel: "object.metadata.?labels['app'].orValue('a')" } },
                  },
                },
              },
            ],
          },
        },
        dnsConfig: { $when: MANY, options: [{ name: 'ndots', value: '2' }] },
        enableServiceLinks: { $when: MANY, $force: false },
      },
    },
  },
  'patterns with expressions': {
    overlay: {
      spec: {
        containers: [
          {
            name: '*',
            $when: "item.image.startsWith('docker.io/')",
            image: { $force: { $cel: "'mirror.example.com/' + item.image.substring(10)" } },
          },
          {
            name: '*',
            $when: "!item.image.contains('/')",
            image: { $force: { $cel: "'mirror.example.com/library/' + item.image" } },
          },
          { name: '*', imagePullPolicy: { $when: "item.name == 'app'", $force: 'Always' } },
        ],
        volumes: [{ name: '*', $when: 'has(item.emptyDir)', emptyDir: { sizeLimit: '1Gi' } }],
      },
    },
  },
  environment: {
    variables: {
      team: "object.metadata.?labels['app'].orValue('none')",
      upper: 'variables.team.upperAscii()',
      remaining: "'left'",
    },
    overlay: {
      spec: {
        containers: [
          {
            name: '*',
            env: [
              { name: 'TEAM', value: { $cel: 'variables.upper' } },
              { name: 'MODE', value: { $force: { $cel: "'m-' + item.name" } }, $when: 'has(item.ports)' },
              { name: 'SELF', value: { $cel: 'item.name' } },
              { name: 'IMAGE', $when: "item.image.contains('docker.io')", value: 'hub' },
              { name: 'EMPTY', value: { $cel: 'variables.remaining' } },
            ],
          },
          { name: 'sidecar', image: { $cel: "'side:' + variables.team" }, $when: MANY },
        ],
      },
    },
  },
  sets: {
    overlay: {
      spec: {
        imagePullSecrets: [
          { $when: "object.spec.containers.exists(c, c.image.startsWith('docker.io/'))", name: 'regcred' },
          { name: { $cel: "object.metadata.?labels['app'].orValue('web')" } },
          { name: 'web' },
        ],
        tolerations: [
          { key: 'team', operator: 'Equal', value: { $cel: "object.metadata.?labels['app'].orValue('x')" } },
          { $absent: { key: 'spot' }, $when: 'has(object.metadata.labels)' },
        ],
        containers: [
          {
            name: '*',
            securityContext: {
              capabilities: { drop: [{ $cel: "item.name == 'app' ? 'ALL' : 'NET_RAW'" }, 'KILL'] },
            },
          },
        ],
      },
    },
  },
  'conditional items': {
    overlay: {
      spec: {
        initContainers: [
          { name: 'one', image: 'i:1', $at: 'first', $when: MANY },
          { name: 'two', image: 'i:2', $at: 'first', $when: "'app' in object.metadata.?labels.orValue({})" },
        ],
        volumes: [
          {
            name: 'cache',
            $when: MANY,
            emptyDir: { sizeLimit: { $cel: "string(size(object.spec.containers)) + 'Gi'" } },
          },
          { name: 'other', $when: `!(${MANY})`, emptyDir: {} },
          { $absent: { name: 'cfg' }, $when: 'false' },
        ],
        topologySpreadConstraints: [
          {
            topologyKey: 'topology.kubernetes.io/zone',
            whenUnsatisfiable: 'ScheduleAnyway',
            maxSkew: 1,
            labelSelector: { matchLabels: { app: { $cel: "object.metadata.?labels['app'].orValue('a')" } } },
          },
        ],
      },
    },
  },
  resources: {
    overlay: {
      spec: {
        containers: [
          {
            name: '*',
            resources: {
              requests: { cpu: { $cel: "item.name == 'app' ? '200m' : '50m'" }, memory: '64Mi' },
              limits: { memory: { $cel: "'256Mi'" } },
            },
          },
        ],
      },
    },
  },
  'conditional resources': {
    overlay: {
      spec: {
        containers: [
          { name: '*', resources: { $when: '!has(item.resources.requests)', requests: { cpu: '1m' } } },
        ],
      },
    },
  },
  probes: {
    overlay: {
      spec: {
        containers: [
          {
            name: '*',
            livenessProbe: {
              timeoutSeconds: { $force: { $cel: 'size(item.name)' } },
              periodSeconds: { $when: MANY, $force: 7 },
            },
            readinessProbe: {
              $when: 'has(item.ports)',
              tcpSocket: { port: { $cel: 'item.ports[0].containerPort' } },
            },
            lifecycle: { preStop: { $when: 'item.?ports.orValue([]).size() > 0', sleep: { seconds: 5 } } },
          },
        ],
      },
    },
  },
  'forced maps': {
    overlay: {
      spec: {
        nodeSelector: {
          $force: { app: { $cel: "object.metadata.?labels['app'].orValue('none')" }, disk: 'ssd' },
        },
        containers: [
          {
            name: '*',
            args: { $force: ['--name', { $cel: 'string(item.name)' }] },
            $when: "item.name != 'debug-1'",
          },
        ],
      },
    },
  },
  tokens: {
    overlay: {
      spec: {
        containers: [
          {
            name: '*',
            env: [
              {
                name: 'JAVA_TOOL_OPTIONS',
                value: { $tokens: { separator: ' ', parts: ['-Da=b'] }, $when: "item.name != 'debug-1'" },
              },
            ],
          },
        ],
      },
    },
  },
  params: {
    params: { kind: 'ConfigMap', name: 'settings', namespace: 'central' },
    variables: { region: "params.data.?region.orValue('eu-west-1')" },
    overlay: {
      metadata: { annotations: { region: { $cel: 'variables.region' } } },
      spec: {
        containers: [
          {
            name: '*',
            env: [
              { name: 'REGION', value: { $cel: 'variables.region' } },
              { name: 'PROXY', value: { $cel: 'params.data.?proxy' }, $when: 'has(params.data.proxy)' },
              { name: 'ZONE', value: { $cel: 'params.data.?zone' } },
            ],
          },
        ],
      },
    },
  },
};

/** The object that one of them has as `params`. */
export const SETTINGS: JsonObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'central' },
  data: { region: 'eu-north-1', zone: 'a' },
};
