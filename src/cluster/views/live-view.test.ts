import { describe, expect, it } from 'vitest';
import { answer, event, refuse, statusOf } from '../../../test/cluster/fake-api-server.ts';
import { ACCOUNT, liveViewRig, names, sees, soon, WIDGET } from '../../../test/cluster/live-view-rig.ts';

const rig = liveViewRig();

describe('following a kind', () => {
  it('lists page by page, then watches from where the list ended', async () => {
    for (let index = 0; index < 1200; index++) rig.accounts.put(`account-${index}`);
    const view = await rig.openSynced();
    expect(view.list(ACCOUNT)).toHaveLength(1200);
    expect(rig.listCalls().map(({ query }) => query.toString())).toEqual([
      'limit=500',
      'limit=500&continue=500',
      'limit=500&continue=1000',
    ]);
    await rig.isWatching();
    expect(rig.watchCalls()[0]?.query.get('resourceVersion')).toBe('1200');
  });

  it('follows objects that are added, changed and deleted', async () => {
    rig.accounts.put('a');
    const view = await rig.openSynced();
    await rig.isWatching();
    rig.accounts.put('b');
    rig.accounts.put('a', { secrets: [] });
    await soon(() => expect(view.get(ACCOUNT, 'default', 'a')).toMatchObject({ secrets: [] }));
    rig.accounts.remove('a');
    await sees(view, 'b');
    expect(view.kinds()).toMatchObject([{ kind: 'Namespace' }, { kind: 'ServiceAccount', objects: 1 }]);
  });

  it('resumes a broken watch from the last bookmark', async () => {
    const view = await rig.openSynced();
    await rig.isWatching();
    rig.skipped = 60_000;
    rig.accounts.bookmark();
    await soon(() => expect(view.kinds()[1]?.ageSeconds).toBeLessThan(10));
    rig.accounts.write('{"type":"ADDED","obj');
    await new Promise((resolve) => setTimeout(resolve, 20));
    rig.server.cut();
    rig.accounts.put('while-away');
    await sees(view, 'while-away');
    expect(rig.watchCalls().at(-1)?.query.get('resourceVersion')).toBe('10');
    expect(rig.listCalls()).toHaveLength(1);
    await soon(() => expect(rig.logged.filter((line) => line === 'watch resumed')).not.toHaveLength(0));
  });

  it('logs nothing when the server ends a watch', async () => {
    const view = await rig.openSynced();
    await rig.isWatching();
    rig.accounts.endWatches();
    rig.accounts.put('a');
    await sees(view, 'a');
    expect(rig.logged).toEqual(['kind listed', 'kind listed']);
  });

  it.each(['a response', 'an event'])('lists again on 410 Gone in %s', async (how) => {
    rig.accounts.put('old');
    const view = await rig.openSynced();
    await rig.isWatching();
    rig.accounts.remove('old');
    rig.accounts.put('new');
    await sees(view, 'new');
    rig.accounts.forget();
    if (how === 'an event') rig.accounts.write(event('ERROR', statusOf(410, 'Expired')));
    else rig.server.cut();
    rig.accounts.put('newer');
    await sees(view, 'new', 'newer');
    expect(rig.listCalls()).toHaveLength(2);
  });

  it('drops objects that a new list does not contain', async () => {
    rig.accounts.put('a');
    const view = await rig.openSynced();
    await rig.isWatching();
    const hook = rig.server.handle;
    rig.server.handle = (_, response) => void response.socket?.destroy();
    rig.server.cut();
    rig.accounts.remove('a');
    rig.accounts.put('b');
    rig.accounts.forget();
    rig.server.handle = hook;
    await sees(view, 'b');
  });

  it('lists without pages when the continue token expires', async () => {
    for (let index = 0; index < 600; index++) rig.accounts.put(`account-${index}`);
    const hook = rig.server.handle;
    rig.server.handle = (call, response) =>
      call.query.has('continue') ? refuse(response, 410, 'Expired') : hook(call, response);
    const view = await rig.openSynced();
    expect(view.list(ACCOUNT)).toHaveLength(600);
    expect(rig.listCalls().map(({ query }) => query.get('limit'))).toEqual(['500', '500', null]);
  });

  it('serves its objects while the server is down, and shows their age', async () => {
    rig.accounts.put('a');
    const view = await rig.openSynced();
    await rig.isWatching();
    rig.server.handle = (_, response) => void response.socket?.destroy();
    rig.server.cut();
    await soon(() => expect(rig.logged).toContain('watch lost'));
    rig.skipped = 90_000;
    expect(names(view)).toEqual(['a']);
    expect(view.synced()).toEqual({ synced: true, detail: [] });
    expect(view.kinds()[1]?.ageSeconds).toBeGreaterThan(80);
  });

  it('waits longer each time, and at least as long as the server asks', async () => {
    rig.server.handle = (_, response) => refuse(response, 500, 'InternalError');
    void rig.open().start(rig.stop.signal);
    await soon(() => expect(rig.pauses.length).toBeGreaterThan(8));
    expect(rig.pauses.slice(0, 8)).toEqual([150, 300, 600, 1200, 2400, 4800, 7500, 7500]);
    rig.server.handle = (_, response) => {
      response.setHeader('retry-after', '60');
      refuse(response, 429, 'TooManyRequests');
    };
    await soon(() => expect(rig.pauses.at(-1)).toBe(60_000));
  });

  it('ends when the signal fires', async () => {
    const view = rig.open(ACCOUNT);
    const running = view.start(rig.stop.signal);
    await rig.isWatching();
    rig.stop.abort();
    await running;
    await soon(() => expect(rig.accounts.watches).toBe(0));
  });
});

describe('readiness', () => {
  it('waits for every kind, and names those that are missing and why', async () => {
    const hook = rig.server.handle;
    rig.server.handle = (call, response) =>
      call.path.includes('serviceaccounts')
        ? refuse(response, 403, 'Forbidden', 'not yours')
        : hook(call, response);
    const view = rig.open(ACCOUNT);
    expect(view.synced().synced).toBe(false);
    void view.start(rig.stop.signal);
    const detail = ['ServiceAccount: not listed yet (Cannot list serviceaccounts: 403 Forbidden: not yours)'];
    await soon(() => expect(view.synced()).toEqual({ synced: false, detail }));
    rig.server.handle = hook;
    await soon(() => expect(view.synced()).toEqual({ synced: true, detail: [] }));
  });

  it('does not wait for a kind that is not installed, but finds it when it is', async () => {
    const hook = rig.server.handle;
    const view = await rig.openSynced(WIDGET);
    expect(view.synced().detail).toEqual(['Widget.example.com: not installed']);
    expect(rig.pauses.at(-1)).toBe(37_500);
    rig.server.handle = (call, response) => {
      if (!call.path.includes('widgets')) return hook(call, response);
      if (call.query.has('watch')) return response.flushHeaders();
      answer(response, {
        metadata: { resourceVersion: '1' },
        items: [{ metadata: { name: 'w', namespace: 'a' } }],
      });
    };
    await soon(() => expect(view.get(WIDGET, 'a', 'w')?.apiVersion).toBe('example.com/v1'));
    expect(view.synced().detail).toEqual([]);
  });
});
