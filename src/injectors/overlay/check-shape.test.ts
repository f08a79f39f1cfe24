import { expect, test } from 'vitest';
import type { JsonObject } from '../../json/json.ts';
import { shapeOf } from '../../kube/shape-of.ts';
import { checkShape } from './check-shape.ts';

const POD = shapeOf('v1', 'Pod');
const found = (overlay: JsonObject, shape = POD) =>
  checkShape(overlay, shape).map(({ path, message }) => `${path.join('.')}: ${message}`);

test('what is as Kubernetes has it, or is not known to us, has no issues', () => {
  const overlay: JsonObject = {
    metadata: { labels: { a: 'b' }, annotations: { c: { $absent: true }, d: null } },
    spec: {
      priority: 5,
      fieldOfTomorrow: [1, { a: 2 }],
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
])('%s of the wrong type has its place named', (_, overlay, issue) => {
  expect(found(overlay)).toEqual([issue]);
});

test('of an unknown kind, metadata is known', () => {
  const overlay: JsonObject = { metadata: { labels: { a: 1 } }, spec: { containers: [{ env: 5 }] } };
  expect(found(overlay, shapeOf('example.com/v1', 'Widget'))).toEqual([
    'metadata.labels.a: expected string, found 1',
  ]);
});
