import { describe, expect, it } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { parseConfigText } from '../config/load-config.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { NO_FILES } from '../sdk/file-view.ts';
import { auditPod, type Installation, workloadOf } from './audit-pod.ts';

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: stamp, use: metadata, with: {annotations: {injected-by: podgraft}}}
  - {name: team, use: metadata, with: {labels: {team: a}}}
`;
const { pipeline, fingerprints } = await parseConfigText(CONFIG, 'podgraft.yaml');
const installation: Installation = {
  pipeline,
  fingerprints,
  files: NO_FILES,
  installedAt: '2026-01-02T00:00:00Z',
  configuredAt: '2026-01-04T00:00:00Z',
};
const namespace = (time: string) =>
  ({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: 'shop',
      creationTimestamp: '2026-01-01T00:00:00Z',
      managedFields: [{ manager: 'kubectl', operation: 'Update', time }],
    },
  }) as unknown as KubeObject;
const cluster = filesView([namespace('2026-01-01T00:00:00Z')]);

const pod = (metadata: object, status: object = { phase: 'Running' }) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', labels: { team: 'a' }, ...metadata },
    spec: { containers: [{ name: 'web', image: 'nginx' }] },
    status,
  }) as unknown as KubeObject;
const at = (creationTimestamp: string, metadata: object = {}) => pod({ creationTimestamp, ...metadata });
const reasons = (subject: KubeObject, view = cluster) =>
  auditPod(subject, view, installation).map(({ injector, reason }) => [injector, reason]);
const mark = (entry: string) => ({ annotations: { 'podgraft.dev/injected': entry } });

describe('a Pod that an injector would still change', () => {
  it('has the injector and the path', () => {
    expect(auditPod(at('2026-01-05T00:00:00Z'), cluster, installation)).toEqual([
      {
        injector: 'stamp',
        reason: 'Podgraft was not called, or did not answer',
        paths: ['/metadata/annotations'],
      },
    ]);
  });

  it.each([
    ['created before Podgraft', at('2026-01-01T00:00:00Z')],
    ['configuration changed since', at('2026-01-03T00:00:00Z')],
    ['configuration changed since', at('2026-01-05T00:00:00Z', mark('stamp=older'))],
    ['removed after injection', at('2026-01-05T00:00:00Z', mark(`stamp=${fingerprints.get('stamp')}`))],
  ])('%s', (reason, subject) => {
    expect(reasons(subject)).toEqual([['stamp', reason]]);
  });

  it('namespace changed since', () => {
    const changed = filesView([namespace('2026-01-06T00:00:00Z')]);
    expect(reasons(at('2026-01-05T00:00:00Z'), changed)).toEqual([['stamp', 'namespace changed since']]);
  });
});

it.each([
  ['complete', pod({ annotations: { 'injected-by': 'podgraft' } })],
  ['finished', pod({}, { phase: 'Succeeded' })],
  ['being deleted', pod({ deletionTimestamp: '2026-01-05T00:00:00Z' })],
  ['excluded', pod({ namespace: 'kube-system' })],
  ['a mirror of a static Pod', pod({ annotations: { 'kubernetes.io/config.mirror': 'x' } })],
])('finds nothing for a Pod that is %s', (_, subject) => {
  expect(reasons(subject)).toEqual([]);
});

describe('the workload of a Pod', () => {
  const owned = (kind: string, name: string, labels: object = {}) =>
    workloadOf(
      pod({ labels, ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid: 'u', controller: true }] }),
    );

  it('is the Deployment of its ReplicaSet', () => {
    expect(owned('ReplicaSet', 'web-7d4b9', { 'pod-template-hash': '7d4b9' })).toEqual({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      name: 'web',
    });
  });

  it('is any other controller', () => {
    expect(owned('StatefulSet', 'db')).toMatchObject({ kind: 'StatefulSet', name: 'db' });
    expect(owned('ReplicaSet', 'bare')).toMatchObject({ kind: 'ReplicaSet', name: 'bare' });
  });

  it('is the Pod itself if nothing controls it', () => {
    expect(workloadOf(pod({}))).toEqual({ apiVersion: 'v1', kind: 'Pod', name: 'web' });
  });
});
