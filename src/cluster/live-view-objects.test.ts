import { describe, expect, it } from 'vitest';
import { answer } from '../../test/cluster/fake-api-server.ts';
import { ACCOUNT, liveViewRig, WIDGET } from '../../test/cluster/live-view-rig.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import type { ReadRef } from '../kube/resource.ts';
import { filesView } from './files-view.ts';

const rig = liveViewRig();

describe('objects in the view', () => {
  const full = {
    metadata: {
      name: 'a',
      namespace: 'default',
      managedFields: [{}],
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', keep: 'me' },
    },
    spec: { size: 1 },
    status: { phase: 'Ready' },
  };

  async function stored(...reads: ReadRef[]): Promise<KubeObject | undefined> {
    rig.server.handle = ({ query }, response) => {
      if (query.has('watch')) return response.flushHeaders();
      answer(response, { metadata: { resourceVersion: '1' }, items: [full] });
    };
    return (await rig.openSynced(...reads)).get(WIDGET, 'default', 'a');
  }
  const head = { apiVersion: 'example.com/v1', kind: 'Widget' };
  const metadata = { name: 'a', namespace: 'default', annotations: { keep: 'me' } };

  it('hold neither managedFields nor status', async () => {
    expect(await stored(WIDGET)).toEqual({ ...head, metadata, spec: full.spec });
  });

  it('hold only the fields that are read', async () => {
    expect(await stored({ ...WIDGET, fields: ['status'] })).toEqual({
      ...head,
      metadata,
      status: full.status,
    });
  });

  it('hold what any of their readers reads', async () => {
    const object = await stored({ ...WIDGET, fields: ['status'] }, WIDGET, { ...WIDGET, fields: [] });
    expect(object).toEqual({ ...head, metadata, spec: full.spec, status: full.status });
  });

  it('are found as in the view from files', async () => {
    const objects = ['b', 'a', 'c'].map((name, index) => ({
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name, namespace: index < 2 ? 'x' : 'a', labels: { even: String(index % 2 === 0) } },
    }));
    rig.server.handle = ({ path, query }, response) => {
      if (query.has('watch')) return response.flushHeaders();
      const items = path.endsWith('serviceaccounts') ? objects : [];
      answer(response, { metadata: { resourceVersion: '1' }, items });
    };
    const live = await rig.openSynced();
    const files = filesView(objects.toSorted((one, other) => keyOf(one).localeCompare(keyOf(other))));
    for (const namespace of [undefined, 'x', 'a', 'nowhere']) {
      expect(live.list(ACCOUNT, namespace)).toEqual(files.list(ACCOUNT, namespace));
      const selector = { matchLabels: { even: 'true' } };
      expect(live.list(ACCOUNT, namespace, selector)).toEqual(files.list(ACCOUNT, namespace, selector));
      expect(live.get(ACCOUNT, namespace, 'a')).toEqual(files.get(ACCOUNT, namespace, 'a'));
    }
    expect(live.list(WIDGET)).toEqual([]);
  });
});

function keyOf({ metadata }: { metadata: { namespace: string; name: string } }): string {
  return `${metadata.namespace}/${metadata.name}`;
}
