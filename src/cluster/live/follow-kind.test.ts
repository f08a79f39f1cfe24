import { expect, it } from 'vitest';
import { builtin } from '../../kube/resource.ts';
import { ApiError } from '../client/api-error.ts';
import { type FollowOptions, followKind, type News } from './follow-kind.ts';
import { KindStore } from './kind-store.ts';

const initializing = new ApiError('watch configmaps', {
  status: 429,
  reason: 'TooManyRequests',
  message: 'storage is (re)initializing',
  retryAfterMs: 1_000,
});

/** Answers watches in this order, and then ends. `open` is one that the server ends at once. */
async function follow(...answers: ('open' | Error)[]) {
  const stop = new AbortController();
  const news: News['type'][] = [];
  const pauses: number[] = [];
  const versions: (string | undefined)[] = [];
  const client: FollowOptions['client'] = {
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
  await followKind({
    client,
    ref: builtin('ConfigMap'),
    scope: {},
    store: new KindStore(),
    trim: (object) => object,
    clock: { now: () => 0, sleep: async (milliseconds) => void pauses.push(milliseconds) },
    random: () => 0,
    signal: stop.signal,
    report: ({ type }) => news.push(type),
  });
  return { news, pauses, versions };
}

it('is not alarmed when a server asks it to wait for its cache, and goes on from the same version', async () => {
  const { news, pauses, versions } = await follow(initializing, 'open', initializing, 'open');
  expect(news).toEqual(['listed', 'alive', 'alive']);
  expect(pauses[0]).toBe(1_000);
  expect(new Set(versions)).toEqual(new Set(['7']));
});

it('tells of a loss when that is all that it hears', async () => {
  const { news } = await follow(initializing, initializing, 'open');
  expect(news).toEqual(['listed', 'lost', 'alive']);
});

it('tells at once of a server that is away', async () => {
  const { news } = await follow(new Error('away'), 'open');
  expect(news).toEqual(['listed', 'lost', 'alive']);
});
