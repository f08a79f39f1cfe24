import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { event, startFakeApiServer, statusOf } from '../../../test/cluster/fake-api-server.ts';
import { FakeCollection } from '../../../test/cluster/fake-collection.ts';
import { builtin } from '../../kube/resource.ts';
import { createClient } from '../client/client.ts';
import { systemClock } from '../clock.ts';
import { createLiveView } from './live-view.ts';

const ACCOUNT = builtin('ServiceAccount');
const clock = { ...systemClock, sleep: (_: number, signal: AbortSignal) => systemClock.sleep(1, signal) };

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ put: fc.constantFrom('a', 'b', 'c', 'd') }) },
  { weight: 3, arbitrary: fc.record({ remove: fc.constantFrom('a', 'b', 'c', 'd') }) },
  { weight: 2, arbitrary: fc.record({ read: fc.constantFrom('a', 'b', 'c', 'd') }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom('cut', 'cut in a line', 'end', 'bookmark', 'forget', 'gone', 'wait'),
  },
);

it('converges to the state of the server after any sequence of events', { timeout: 60_000 }, async () => {
  const accounts = new FakeCollection();
  const namespaces = new FakeCollection();
  const server = await startFakeApiServer((call, response) =>
    (call.path.includes('serviceaccounts') ? accounts : namespaces).handle(call, response),
  );
  const client = createClient(server.connection());
  const stop = new AbortController();
  const view = createLiveView({ client, reads: [ACCOUNT], clock, random: () => 0 });
  void view.start(stop.signal);

  const take = async (action: typeof step extends fc.Arbitrary<infer T> ? T : never) => {
    if (typeof action === 'object') {
      if ('put' in action) accounts.put(action.put);
      else if ('remove' in action) accounts.remove(action.remove);
      else await view.read([{ ref: ACCOUNT, namespace: 'default', name: action.read }], 20);
      return;
    }
    if (action === 'cut in a line') accounts.write('{"type":"ADDED","object":{"meta');
    if (action === 'gone') accounts.write(event('ERROR', statusOf(410, 'Expired')));
    if (action === 'forget') accounts.forget();
    if (action === 'bookmark') accounts.bookmark();
    if (action === 'end') accounts.endWatches();
    if (action === 'wait') await new Promise((resolve) => setTimeout(resolve, 10));
    if (action.startsWith('cut')) server.cut();
  };
  // One view lives through all runs, so that each starts from the state that the last one left.
  const runs = fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
    for (const action of steps) await take(action);
    await vi.waitFor(
      () => expect(view.list(ACCOUNT).map(({ metadata }) => metadata)).toEqual(accounts.metadata()),
      { timeout: 10_000, interval: 5 },
    );
  });
  try {
    await fc.assert(runs, { numRuns: 150, endOnFailure: true });
  } finally {
    stop.abort();
    client.close();
    await server.stop();
  }
});
