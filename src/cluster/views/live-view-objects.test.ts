import { describe, expect, it } from 'vitest';
import { answer } from '../../../test/cluster/fake-api-server.ts';
import { liveViewRig, WIDGET } from '../../../test/cluster/live-view-rig.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import type { ReadRef } from '../../sdk/reads.ts';

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

  it('have neither managedFields nor status', async () => {
    expect(await stored(WIDGET)).toEqual({ ...head, metadata, spec: full.spec });
  });

  it('have only the fields that are read', async () => {
    expect(await stored({ ...WIDGET, fields: ['status'] })).toEqual({
      ...head,
      metadata,
      status: full.status,
    });
  });

  it('have the fields of all reads', async () => {
    const object = await stored({ ...WIDGET, fields: ['status'] }, WIDGET, { ...WIDGET, fields: [] });
    expect(object).toEqual({ ...head, metadata, spec: full.spec, status: full.status });
  });
});
