import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filesView } from '../../cluster/views/files-view.ts';
import type { Container, Pod, VolumeMount } from '../../kube/generated/types.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { isLess } from '../../kube/quantity.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
import { checkLaws } from '../../testing/laws.ts';
import { filebeat } from './filebeat.ts';
import { RESOURCES } from './settings.ts';

const PATHS = ['/srv', '/srv/logs', '/srv/logs/', '/srv/logs/app', '/var/log', '/data'];
const VOLUMES = ['one', 'two', 'filebeat-log-srv-logs', 'filebeat-config'];

const mount: fc.Arbitrary<VolumeMount> = fc.record(
  {
    name: fc.constantFrom(...VOLUMES),
    mountPath: fc.constantFrom(...PATHS),
    subPath: fc.constantFrom('a', 'b'),
    readOnly: fc.boolean(),
  },
  { requiredKeys: ['name', 'mountPath'] },
);
const mounts = fc.uniqueArray(mount, { maxLength: 3, selector: ({ mountPath }) => mountPath });
const container = (name: fc.Arbitrary<string>): fc.Arbitrary<Container> =>
  fc.record(
    {
      name,
      image: fc.constant('x:1'),
      volumeMounts: mounts,
      resources: fc.constantFrom(
        {},
        { limits: { cpu: '10m' } },
        { requests: { memory: '1Gi' } },
        { limits: { cpu: 1, memory: '64Mi' }, requests: { cpu: '0.5' } },
      ),
    },
    { requiredKeys: ['name', 'image'] },
  );
const logPath = fc
  .array(
    fc.constantFrom(
      '/srv/logs/*.log',
      '/srv/logs/app/a.log',
      '/srv/*.log',
      '/srv/**/*.log',
      '/srv/*/app/*.log',
      '/var/log',
      '/Var/Log/x.log',
    ),
    {
      minLength: 1,
    },
  )
  .map((paths) => paths.join(','));
const pod: fc.Arbitrary<Pod> = fc.record({
  apiVersion: fc.constant('v1'),
  kind: fc.constant('Pod'),
  metadata: logPath.map((path) => ({
    name: 'p',
    annotations: {
      'filebeat.enabled': 'true',
      'filebeat.log-path': path,
      'filebeat.resources.requests.cpu': '200m',
    },
  })),
  spec: fc
    .uniqueArray(container(fc.constantFrom('a', 'b', 'c', 'filebeat')), {
      minLength: 1,
      selector: ({ name }) => name,
    })
    .chain((containers) =>
      fc.record({
        containers: fc.constant(containers),
        initContainers: fc.uniqueArray(container(fc.constantFrom('x', 'y')), {
          selector: ({ name }) => name,
        }),
        volumes: fc.constantFrom(
          VOLUMES.map((name) => ({ name, secret: { secretName: name } })),
          VOLUMES.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
        ),
      }),
    ),
});
const settings = fc.record({
  sidecar: fc.constantFrom('container', 'native', 'auto'),
  initContainers: fc.boolean(),
});

test('the result is valid and stable for Pods with arbitrary mounts', () => {
  fc.assert(
    fc.property(pod, settings, (input, raw) => {
      const object = input as unknown as KubeObject;
      const outcome = checkLaws({
        entry: { name: 'filebeat', injector: filebeat, config: filebeat.config?.(raw) },
        object,
        request: requestFor(object, { operation: 'CREATE', namespace: 'default', username: 'test' }),
        cluster: filesView([]),
      });
      if (!outcome.allowed) throw new Error(outcome.reason);
      expectValid(outcome.object as unknown as Pod);
    }),
    { numRuns: 300 },
  );
});

function expectValid({ spec: { containers, initContainers = [], volumes = [] } }: Pod): void {
  const all = [...containers, ...initContainers];
  const volumeNames = volumes.map(({ name }) => name);
  expectUnique(volumeNames);
  expectUnique(all.map(({ name }) => name));
  expect(all.map(({ name }) => name)).toContain('filebeat');
  for (const { volumeMounts = [] } of all) {
    expectUnique(volumeMounts.map(({ mountPath }) => mountPath));
    for (const { name } of volumeMounts) expect(volumeNames).toContain(name);
  }
  const { requests, limits } = all.find(({ name }) => name === 'filebeat')?.resources ?? {};
  for (const resource of RESOURCES) expect(isLess(limits?.[resource], requests?.[resource])).toBe(false);
}

function expectUnique(values: readonly string[]): void {
  expect(new Set(values).size).toBe(values.length);
}
