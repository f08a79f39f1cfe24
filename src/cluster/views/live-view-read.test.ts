import type { ServerResponse } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { event } from '../../../test/cluster/fake-api-server.ts';
import { ACCOUNT, liveViewRig, names, sees, soon, WIDGET } from '../../../test/cluster/live-view-rig.ts';
import type { LiveView } from './live-view.ts';

const rig = liveViewRig();

describe('a live read', () => {
  const need = (name: string) => ({ ref: ACCOUNT, namespace: 'default', name });
  const gets = () => rig.server.calls.filter(({ path }) => path.includes('/serviceaccounts/'));

  let silent: ServerResponse[];
  beforeEach(() => {
    silent = [];
  });

  /** The watch stays silent, so that only a live read can find new objects. */
  async function openBehind(): Promise<LiveView> {
    const view = await rig.openSynced();
    await rig.isWatching();
    const hook = rig.server.handle;
    rig.server.handle = (call, response) => {
      if (!call.query.has('watch')) return hook(call, response);
      response.flushHeaders();
      silent.push(response);
    };
    rig.server.cut();
    await soon(() => expect(rig.watchCalls().length).toBeGreaterThan(1));
    return view;
  }

  it('finds an object that the watch has not reported yet, with one call for all readers', async () => {
    const view = await openBehind();
    rig.accounts.put('fresh');
    await Promise.all(Array.from({ length: 50 }, () => view.read([need('fresh'), need('fresh')], 1_000)));
    expect(view.get(ACCOUNT, 'default', 'fresh')).toBeDefined();
    expect(names(view)).toEqual(['fresh']);
    await view.read([need('fresh')], 1_000);
    expect(gets()).toHaveLength(1);
    expect(view.reads).toEqual({ found: 1, missing: 0, failed: 0 });
  });

  it('is not repeated for a second after it found nothing', async () => {
    const view = await openBehind();
    expect(await view.read([need('late')], 1_000)).toEqual([]);
    rig.accounts.put('late');
    await view.read([need('late')], 1_000);
    expect(gets()).toHaveLength(1);
    rig.skipped = 1_100;
    await view.read([need('late')], 1_000);
    expect(names(view)).toEqual(['late']);
    expect(view.reads).toEqual({ found: 1, missing: 1, failed: 0 });
  });

  it('waits until the deadline, and keeps an object that arrives later', async () => {
    const view = await openBehind();
    rig.accounts.put('slow');
    const hook = rig.server.handle;
    rig.server.handle = (call, response) => void setTimeout(() => hook(call, response), 1_000);
    const before = performance.now();
    expect(await view.read([need('slow')], 30)).toEqual([{ need: need('slow'), reason: 'timed out' }]);
    expect(performance.now() - before).toBeLessThan(900);
    expect(names(view)).toEqual([]);
    await sees(view, 'slow');
  });

  it('that fails is reported, also while it is not repeated', async () => {
    const view = await openBehind();
    rig.server.handle = (_, response) => void response.socket?.destroy();
    const failed = [{ need: need('a'), reason: expect.stringContaining('Cannot') }];
    expect(await view.read([need('a')], 1_000)).toEqual(failed);
    expect(await view.read([need('a')], 1_000)).toEqual(failed);
    expect(view.reads).toMatchObject({ failed: 1 });
    expect(rig.logged).toContain('live read failed');
  });

  it('is overruled by the watch', async () => {
    const view = await rig.openSynced();
    await rig.isWatching();
    rig.accounts.put('a');
    await view.read([need('a')], 1_000);
    rig.accounts.remove('a');
    await sees(view);
  });

  it('is dropped when the watch passes its version without reporting the object', async () => {
    const view = await openBehind();
    rig.accounts.put('ghost');
    await view.read([need('ghost')], 1_000);
    expect(names(view)).toEqual(['ghost']);
    const bookmark = event('BOOKMARK', { kind: 'ServiceAccount', metadata: { resourceVersion: '7' } });
    for (const response of silent) response.write(bookmark);
    await sees(view);
  });

  it('is skipped for an undeclared kind', async () => {
    const view = await rig.openSynced();
    await view.read([{ ref: WIDGET, namespace: 'a', name: 'w' }], 1_000);
    expect(rig.server.calls.some(({ path }) => path.includes('widgets'))).toBe(false);
  });
});
