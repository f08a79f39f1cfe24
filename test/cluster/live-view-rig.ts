import { afterEach, beforeEach, expect, vi } from 'vitest';
import { createClient, type KubeClient } from '../../src/cluster/client/client.ts';
import { type Clock, systemClock } from '../../src/cluster/clock.ts';
import { createLiveView, type LiveView } from '../../src/cluster/views/live-view.ts';
import { builtin } from '../../src/kube/resource.ts';
import type { ReadRef } from '../../src/sdk/reads.ts';
import { type Call, type FakeApiServer, refuse, startFakeApiServer } from './fake-api-server.ts';
import { FakeCollection } from './fake-collection.ts';

export const ACCOUNT = builtin('ServiceAccount');
export const WIDGET = {
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  resource: 'widgets',
  namespaced: true,
};

/** An API server with ServiceAccounts, and live views of it; new for each test. */
export interface LiveViewRig {
  readonly server: FakeApiServer;
  readonly accounts: FakeCollection;
  /** Ends the views. */
  readonly stop: AbortController;
  /** The delays that the views requested. */
  readonly pauses: readonly number[];
  readonly logged: readonly string[];
  /** Milliseconds by which the clock is ahead. */
  skipped: number;
  open(...reads: ReadRef[]): LiveView;
  openSynced(...reads: ReadRef[]): Promise<LiveView>;
  isWatching(): Promise<void>;
  watchCalls(): Call[];
  listCalls(): Call[];
}

export function liveViewRig(): LiveViewRig {
  let server: FakeApiServer;
  let accounts: FakeCollection;
  let client: KubeClient;
  let stop: AbortController;
  let pauses: number[];
  let logged: string[];
  let skipped: number;

  /** Records delays and cuts them short; can be moved ahead. */
  const clock: Clock = {
    ...systemClock,
    uptime: () => systemClock.uptime() + skipped,
    sleep(milliseconds, signal) {
      pauses.push(milliseconds);
      return systemClock.sleep(5, signal);
    },
  };

  beforeEach(async () => {
    accounts = new FakeCollection();
    const namespaces = new FakeCollection();
    [pauses, logged, skipped] = [[], [], 0];
    server = await startFakeApiServer((call, response) => {
      if (call.path.includes('/serviceaccounts')) return accounts.handle(call, response);
      if (call.path.includes('/namespaces')) return namespaces.handle(call, response);
      refuse(response, 404, 'NotFound');
    });
    client = createClient(server.connection());
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    client.close();
    await server.stop();
  });

  const open = (...reads: ReadRef[]) => {
    const log = {
      info: (_: object, message: string) => void logged.push(message),
      warn: (_: object, message: string) => void logged.push(message),
    };
    return createLiveView({ client, reads, log, clock, random: () => 0.5 });
  };
  const accountCalls = () => server.calls.filter(({ path }) => path.endsWith('/serviceaccounts'));

  return {
    get server() {
      return server;
    },
    get accounts() {
      return accounts;
    },
    get stop() {
      return stop;
    },
    get pauses() {
      return pauses;
    },
    get logged() {
      return logged;
    },
    get skipped() {
      return skipped;
    },
    set skipped(milliseconds) {
      skipped = milliseconds;
    },
    open,
    openSynced: async (...reads) => {
      const view = open(...(reads.length > 0 ? reads : [ACCOUNT]));
      void view.start(stop.signal);
      await soon(() => expect(view.synced().synced).toBe(true));
      return view;
    },
    isWatching: () => soon(() => expect(accounts.watches).toBe(1)),
    watchCalls: () => accountCalls().filter(({ query }) => query.get('watch') === 'true'),
    listCalls: () => accountCalls().filter(({ query }) => !query.has('watch')),
  };
}

/** The long timeout costs time only if the test fails. */
export function soon(check: () => void): Promise<void> {
  return vi.waitFor(check, { timeout: 10_000, interval: 5 });
}

export function names(view: LiveView): (string | undefined)[] {
  return view.list(ACCOUNT).map(({ metadata }) => metadata.name);
}

export function sees(view: LiveView, ...expected: string[]): Promise<void> {
  return soon(() => expect(names(view)).toEqual(expected));
}
