import { expect, test } from 'vitest';
import type { JsonObject } from '../json/json.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { builtin, type ResourceRef } from '../kube/resource.ts';
import { directiveProblems, kindProblems } from './check-overlay.ts';

const found = (overlay: JsonObject, ...kinds: (ResourceRef | '*')[]) =>
  kindProblems(overlay, kinds.length === 0 ? [builtin('Pod')] : kinds).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

test('accepts values of the right type, with directives at every place', () => {
  const overlay: JsonObject = {
    metadata: { labels: { a: 'b' }, annotations: { c: { $absent: true }, d: null } },
    spec: {
      priority: 5,
      terminationGracePeriodSeconds: { $atLeast: 30 },
      volumes: [{ name: 'tmp', emptyDir: { sizeLimit: { $force: '1Gi' } } }],
      hostNetwork: { $force: false },
      nodeSelector: { disk: 'ssd' },
      containers: [
        { $absent: { name: 'old' } },
        {
          name: '*',
          $at: 'first',
          args: ['-v'],
          env: [{ name: 'A', value: { $tokens: { separator: ' ', parts: ['-a'] } } }],
          ports: [{ containerPort: 80 }],
          readinessProbe: { httpGet: { port: 80 } },
          resources: { requests: { cpu: 1, memory: '1Gi' } },
          securityContext: { capabilities: { drop: ['ALL'] } },
        },
      ],
    },
  };
  expect(found(overlay)).toEqual([]);
});

test.each<[string, JsonObject, string]>([
  [
    'an annotation',
    { metadata: { annotations: { n: 5 } } },
    'metadata.annotations.n: expected string, found 5',
  ],
  ['labels', { metadata: { labels: ['a'] } }, 'metadata.labels: expected a map, found a list'],
  [
    'the value of a variable',
    { spec: { containers: [{ name: 'a', env: [{ name: 'DEBUG', value: true }] }] } },
    'spec.containers.0.env.0.value: expected string, found true',
  ],
  [
    'what is forced',
    { spec: { hostNetwork: { $force: 'yes' } } },
    'spec.hostNetwork.$force: expected boolean, found "yes"',
  ],
  ['containers', { spec: { containers: { name: 'a' } } }, 'spec.containers: expected a list, found a map'],
  ['an item', { spec: { containers: [{ image: 'a' }] } }, 'spec.containers.0: an item needs "name"'],
  [
    'an item to remove',
    { spec: { volumes: [{ $absent: { emptyDir: {} } }] } },
    'spec.volumes.0.$absent: an item needs "name"',
  ],
])('reports the path of %s of the wrong type', (_, overlay, issue) => {
  expect(found(overlay)).toEqual([issue]);
});

const inContainer = (container: JsonObject) => ({ spec: { containers: [{ name: '*', ...container }] } });

test.each<[string, JsonObject, string]>([
  [
    'a misspelt field',
    inContainer({ imagePullpolicy: 'Always' }),
    'spec.containers.0.imagePullpolicy: unknown field "imagePullpolicy", did you mean "imagePullPolicy"?',
  ],
  [
    'a field of another place',
    inContainer({ hostNetwork: true }),
    'spec.containers.0.hostNetwork: unknown field "hostNetwork", did you mean "spec.hostNetwork"?',
  ],
  ['a field that resembles no other', { spec: { qqqqq: 1 } }, 'spec.qqqqq: unknown field "qqqqq"'],
  [
    'a wrong enum',
    { spec: { dnsPolicy: 'Bogus' } },
    'spec.dnsPolicy: expected one of ClusterFirst, ClusterFirstWithHostNet, Default, None, found "Bogus"',
  ],
  [
    'a misspelt enum',
    inContainer({ imagePullPolicy: { $force: 'always' } }),
    'spec.containers.0.imagePullPolicy.$force: expected one of Always, IfNotPresent, Never, found "always", did you mean "Always"?',
  ],
  [
    'a bad quantity',
    inContainer({ resources: { requests: { cpu: 'lots' } } }),
    'spec.containers.0.resources.requests.cpu: expected a quantity such as 100m or 1Gi, found "lots"',
  ],
  [
    'a negative quantity',
    inContainer({ resources: { limits: { memory: -1 } } }),
    'spec.containers.0.resources.limits.memory: expected a quantity such as 100m or 1Gi, found -1',
  ],
  [
    'a request above its limit',
    inContainer({ resources: { requests: { cpu: 1 }, limits: { cpu: { $force: '500m' }, memory: '1Gi' } } }),
    'spec.containers.0.resources.requests.cpu: more than its limit "500m"',
  ],
  [
    'a port out of range',
    inContainer({ ports: [{ containerPort: 70000 }] }),
    'spec.containers.0.ports.0.containerPort: expected a port from 1 to 65535, found 70000',
  ],
  [
    'a port that is neither number nor name',
    inContainer({ livenessProbe: { httpGet: { port: '8080' } } }),
    'spec.containers.0.livenessProbe.httpGet.port: expected a port from 1 to 65535 or its name, found "8080"',
  ],
  ['a fraction', { spec: { priority: 1.5 } }, 'spec.priority: expected a 32-bit integer, found 1.5'],
  [
    'a string instead of a number',
    { spec: { activeDeadlineSeconds: '5' } },
    'spec.activeDeadlineSeconds: expected an integer, found "5"',
  ],
  [
    'an item to remove',
    { spec: { containers: [{ $absent: { name: 'a', imagee: 'b' } }] } },
    'spec.containers.0.$absent.imagee: unknown field "imagee", did you mean "image"?',
  ],
  [
    'a directive within a forced value',
    { spec: { securityContext: { $force: { runAsUser: { $atLeast: 5 } } } } },
    'spec.securityContext.$force.runAsUser: expected an integer, found a map',
  ],
  [
    'tokens for a number',
    { spec: { priority: { $tokens: { separator: ' ', parts: [] } } } },
    'spec.priority: "$tokens" is for strings',
  ],
  [
    'a minimum of a string',
    { spec: { nodeName: { $atLeast: 1 } } },
    'spec.nodeName: "$atLeast" is for numbers and quantities',
  ],
])('reports %s', (_, overlay, issue) => {
  expect(found(overlay)).toEqual([issue]);
});

test('reports a long value cut', () => {
  const [issue] = found({ spec: { dnsPolicy: 'x'.repeat(10_000) } });
  expect(issue?.length).toBeLessThan(200);
});

test('names the place in a workload of a field of Pods', () => {
  expect(found({ spec: { containers: [] } }, builtin('Deployment'))).toEqual([
    'spec.containers: unknown field "containers", did you mean "spec.template.spec.containers"?',
  ]);
  expect(found({ spec: { containers: [] } }, builtin('CronJob'))).toEqual([
    'spec.containers: unknown field "containers", did you mean "spec.jobTemplate.spec.template.spec.containers"?',
  ]);
});

test('names the kinds that a problem is about, if it is not about all of them', () => {
  const overlay = { spec: { strategy: { type: 'Recreate' }, replicas: 'two' } };
  expect(found(overlay, builtin('Deployment'), builtin('StatefulSet'))).toEqual([
    'spec.replicas: expected a 32-bit integer, found "two"',
    'spec.strategy: unknown field "strategy" (for StatefulSet)',
  ]);
});

test('checks kinds that merge as plain JSON', () => {
  const overlay = { spec: { type: 'Loadbalancer', ports: [{ port: 0, targetPort: 'web' }] } };
  expect(found(overlay, builtin('Service'))).toEqual([
    'spec.type: expected one of ClusterIP, ExternalName, LoadBalancer, NodePort, found "Loadbalancer", did you mean "LoadBalancer"?',
    'spec.ports.0.port: expected a port from 1 to 65535, found 0',
  ]);
  expect(found({ metadata: { labels: { a: 'b' } } }, builtin('Namespace'), builtin('Ingress'))).toEqual([]);
});

test('checks labels in the template of a workload', () => {
  const overlay = { spec: { template: { metadata: { labels: { a: { $force: 'not valid' } } } } } };
  expect(found(overlay, builtin('Job'))).toEqual([
    'spec.template.metadata.labels.a: expected at most 63 letters, digits, "-", "_" and ".", found "not valid"',
  ]);
});

test('checks only the metadata of custom resources and of all kinds', () => {
  const overlay: JsonObject = {
    metadata: { labels: { a: 1 }, anotations: {} },
    spec: { containers: [{ env: 5 }] },
  };
  const widget = {
    group: 'example.com',
    version: 'v1',
    kind: 'Widget',
    resource: 'widgets',
    namespaced: true,
  };
  for (const kind of [widget, '*'] as const) {
    expect(found(overlay, kind)).toEqual([
      'metadata.labels.a: expected string, found 1',
      'metadata.anotations: unknown field "anotations", did you mean "annotations"?',
    ]);
  }
});

const widget: ResourceRef = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  resource: 'widgets',
  namespaced: true,
};

function widgetDefinition(spec: object, version = 'v1'): KubeObject {
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [{ name: version, schema: { openAPIV3Schema } }],
    },
  } as KubeObject;
}

const widgetSpec = {
  type: 'object',
  properties: {
    size: { type: 'integer' },
    scale: { type: 'number' },
    color: { type: 'string', enum: ['red', 'blue'] },
    isOpen: { type: 'boolean' },
    port: { 'x-kubernetes-int-or-string': true },
    parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
    tags: { type: 'object', additionalProperties: { type: 'string' } },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { a: {} } },
    anything: { type: 'object' },
  },
};

test('checks a custom resource against its definition', () => {
  const overlay: JsonObject = {
    metadata: { label: {} },
    spec: {
      siez: 3,
      size: 'big',
      color: { $force: 'green' },
      isOpen: 1,
      port: [],
      parts: [{ nmae: 'x' }],
      tags: { a: 1 },
    },
    sepc: {},
  };
  const problems = kindProblems(overlay, [widget], [widgetDefinition(widgetSpec)]);
  expect(problems.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
    'metadata.label: unknown field "label", did you mean "labels"?',
    'spec.siez: unknown field "siez", did you mean "size"?',
    'spec.size: expected an integer, found "big"',
    'spec.color.$force: expected one of red, blue, found "green"',
    'spec.isOpen: expected boolean, found 1',
    'spec.port: expected an integer or string, found a list',
    'spec.parts.0.nmae: unknown field "nmae", did you mean "name"?',
    'spec.tags.a: expected string, found 1',
    'sepc: unknown field "sepc", did you mean "spec"?',
  ]);
});

test('accepts everything that the definition of a custom resource leaves open', () => {
  const spec = { size: 1, port: 'http', free: { b: 1 }, anything: { c: [] }, parts: [{ name: 'x' }] };
  const overlay: JsonObject = { metadata: { labels: { a: 'b' } }, spec };
  expect(kindProblems(overlay, [widget], [widgetDefinition(widgetSpec)])).toEqual([]);
});

test.each([
  ['another version', [widgetDefinition(widgetSpec, 'v2')]],
  ['no schema', [widgetDefinition(null as never)]],
  ['nothing but a name', [{ kind: 'CustomResourceDefinition', metadata: {} } as KubeObject]],
])('does not check the spec of a custom resource whose definition has %s', (_, definitions) => {
  expect(kindProblems({ spec: { siez: 3 } }, [widget], definitions)).toEqual([]);
});

test.each<[string, JsonObject, string]>([
  [
    'two in one place',
    { spec: { hostNetwork: { $force: true, $absent: true } } },
    'spec.hostNetwork.$force: "$force" must be the only key',
  ],
  ['one for the whole object', { $force: {} }, '$force: "$force" is for a field, not for the whole object'],
  [
    'one of fields on an item',
    { spec: { volumes: [{ $force: { name: 'a' } }] } },
    'spec.volumes.0.$force: "$force" is for a field, not for an item of a list',
  ],
  [
    'a misspelt one',
    { spec: { hostNetwork: { $forec: true } } },
    'spec.hostNetwork.$forec: unknown directive "$forec", expected $force, $absent, $tokens, $atLeast, $at, $cel or $when',
  ],
  [
    'a removal that depends on an expression',
    { spec: { volumes: [{ $absent: { name: { $cel: 'object.metadata.name' } } }] } },
    'spec.volumes.0.$absent: expressions have no effect in the keys of an item to remove: make the removal conditional',
  ],
])('reports a misused directive: %s', (_, overlay, issue) => {
  const issues = directiveProblems(overlay).map(({ path, message }) => `${path.join('.')}: ${message}`);
  expect(issues).toContain(issue);
});

test.each<[string, JsonObject, string]>([
  [
    'a source of a projected volume',
    {
      spec: {
        volumes: [
          {
            name: 'v',
            projected: {
              sources: [{ serviceAccountToken: { expirationSeconds: { $force: 600 }, path: 't' } }],
            },
          },
        ],
      },
    },
    'spec.volumes.0.projected.sources.0.serviceAccountToken.expirationSeconds.$force: warning: "$force" has no effect in "sources", a list that is set as a whole: use {$force: …} for the list to replace it',
  ],
  [
    'a key of a ConfigMap',
    {
      spec: {
        volumes: [
          { name: 'v', configMap: { name: 'c', items: [{ key: 'k', path: 'p', mode: { $force: 256 } }] } },
        ],
      },
    },
    'spec.volumes.0.configMap.items.0.mode.$force: warning: "$force" has no effect in "items", a list that is set as a whole: use {$force: …} for the list to replace it',
  ],
  [
    'a removed field',
    {
      spec: {
        volumes: [{ name: 'v', configMap: { items: [{ key: 'k', path: 'p', mode: { $absent: true } }] } }],
      },
    },
    'spec.volumes.0.configMap.items.0.mode.$absent: error: "$absent" has no effect in "items", a list that is set as a whole: use {$force: …} for the list to replace it',
  ],
  [
    'a removed item',
    { spec: { volumes: [{ name: 'v', configMap: { items: [{ $absent: { key: 'k', path: 'p' } }] } }] } },
    'spec.volumes.0.configMap.items.0.$absent: error: "$absent" has no effect in "items", a list that is set as a whole: use {$force: …} for the list to replace it',
  ],
  [
    'a placed item',
    { spec: { volumes: [{ name: 'v', configMap: { items: [{ $at: 'first', key: 'k', path: 'p' }] } }] } },
    'spec.volumes.0.configMap.items.0.$at: error: "$at" has no effect in "items", a list that is set as a whole: use {$force: …} for the list to replace it',
  ],
  [
    'a toleration',
    { spec: { tolerations: [{ key: 'a', tolerationSeconds: { $atLeast: 5 } }] } },
    'spec.tolerations.0.tolerationSeconds.$atLeast: warning: "$atLeast" has no effect in "tolerations", a list whose items have no keys: they are added and removed, but not changed',
  ],
])('reports directives without effect in %s', (_, overlay, issue) => {
  const problems = kindProblems(overlay, [builtin('Pod')]);
  expect(
    problems.map(({ path, severity = 'error', message }) => `${path.join('.')}: ${severity}: ${message}`),
  ).toEqual([issue]);
});

test('accepts directives for whole lists, for items without keys, and in items with keys', () => {
  const overlay: JsonObject = {
    spec: {
      tolerations: [
        { $absent: { key: 'a' } },
        { $at: 'first', key: 'b' },
        { $when: 'true', key: 'c', tolerationSeconds: { $cel: '5' } },
      ],
      volumes: [
        {
          name: 'v',
          configMap: { name: { $force: 'c' }, items: { $force: [{ key: 'k', path: 'p', mode: 256 }] } },
        },
        { name: 't', projected: { sources: { $force: [{ serviceAccountToken: { path: 't' } }] } } },
      ],
      containers: [
        {
          name: 'a',
          $at: 'first',
          args: { $force: ['x'] },
          ports: [{ containerPort: 80, name: { $force: 'http' } }],
          env: [{ name: 'A', value: { $force: 'a' } }, { $absent: { name: 'B' } }],
        },
      ],
    },
  };
  expect(found(overlay)).toEqual([]);
});
