import { expect, test } from 'vitest';
import { createRequestLog } from './request-log.ts';
import type { RequestItem, RunView } from './view.ts';

function request(uid: string, bytes = 1) {
  const item = { uid } as RequestItem;
  return { item, bytes, view: () => ({ request: item }) as unknown as RunView };
}

test('keeps the newest requests, up to a number', async () => {
  const log = createRequestLog({ requests: 2, bytes: 100 });
  for (const uid of ['a', 'b', 'c']) log.add(request(uid));
  expect(log.list().map(({ uid }) => uid)).toEqual(['c', 'b']);
  expect(log.find('a')).toBeUndefined();
  expect((await log.find('c'))?.request.uid).toBe('c');
});

test('keeps no more than a number of bytes, but always the newest', () => {
  const log = createRequestLog({ requests: 10, bytes: 100 });
  for (const uid of ['a', 'b', 'c']) log.add(request(uid, 40));
  expect(log.list().map(({ uid }) => uid)).toEqual(['c', 'b']);
  log.add(request('huge', 1000));
  expect(log.list().map(({ uid }) => uid)).toEqual(['huge']);
  log.add(request('d', 40));
  expect(log.list().map(({ uid }) => uid)).toEqual(['d']);
});

test('notifies followers until they stop', () => {
  const log = createRequestLog({ requests: 2, bytes: 100 });
  const seen: string[] = [];
  const stop = log.follow(({ uid }) => seen.push(uid));
  log.add(request('a'));
  stop();
  log.add(request('b'));
  expect(seen).toEqual(['a']);
});
