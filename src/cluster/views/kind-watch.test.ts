import { expect, it } from 'vitest';
import { builtin } from '../../kube/resource.ts';
import { ApiError } from '../client/api-error.ts';
import { systemClock } from '../clock.ts';
import { KindWatch, type KindWatchOptions } from './kind-watch.ts';

const initializing = new ApiError('watch configmaps', {
  status: 429,
  reason: 'TooManyRequests',
  message: 'storage is (re)initializing',
  retryAfterMs: 1_000,
});

/** Answers watches in this order, then ends. `open` is a watch that the server ends at once. */
async function follow(...answers: ('open' | Error)[]) {
  const stop = new AbortController();
  const logged: string[] = [];
  const pauses: number[] = [];
  const versions: (string | undefined)[] = [];
  const client: KindWatchOptions['client'] = {
    list: async () => ({ items: [], resourceVersion: '7' }),
    async *watch(_, { resourceVersion, onOpen }) {
      versions.push(resourceVersion);
      const answer = answers.shift();
      if (answer === undefined) return stop.abort();
      if (answer !== 'open') throw answer;
      onOpen?.();
      yield* [];
    },
  };
  const log = (_: object, message: string) => void logged.push(message);
  const watch = new KindWatch(builtin('ConfigMap'), {}, (object) => object, {
    client,
    clock: { ...systemClock, uptime: () => 0, sleep: async (milliseconds) => void pauses.push(milliseconds) },
    random: () => 0,
    log: { info: log, warn: log },
  });
  await watch.follow(stop.signal);
  return { logged, pauses, versions };
}

it('waits for the watch cache of a server without a warning, and resumes from the same version', async () => {
  const { logged, pauses, versions } = await follow(initializing, 'open', initializing, 'open');
  expect(logged).toEqual(['kind listed']);
  expect(pauses[0]).toBe(1_000);
  expect(new Set(versions)).toEqual(new Set(['7']));
});

it('reports a lost watch if the server keeps answering with 429', async () => {
  const { logged } = await follow(initializing, initializing, 'open');
  expect(logged).toEqual(['kind listed', 'watch lost', 'watch resumed']);
});

it('reports an unreachable server at once', async () => {
  const { logged } = await follow(new Error('away'), 'open');
  expect(logged).toEqual(['kind listed', 'watch lost', 'watch resumed']);
});
