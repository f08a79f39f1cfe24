import { expect, test } from 'vitest';
import { Peers } from './peers.ts';

test('a peer is the same object for as long as it has something open', () => {
  const peers = new Peers(() => ({ count: 0 }));
  const busy = peers.get('busy');
  busy.count = 1;
  for (let index = 0; index < 10_000; index++) peers.get(`idle-${index}`);
  expect(peers.get('busy')).toBe(busy);
});

test('idle peers do not accumulate', () => {
  const peers = new Peers(() => ({ count: 0 }));
  for (let index = 0; index < 10_000; index++) peers.get(`idle-${index}`);
  expect([...peers.values()].length).toBeLessThanOrEqual(64);
});

test('busy peers are looked through only when their number has doubled', () => {
  let reads = 0;
  const peers = new Peers(() => ({
    get count() {
      reads++;
      return 1;
    },
  }));
  for (let index = 0; index < 10_000; index++) peers.get(`busy-${index}`);
  expect([...peers.values()]).toHaveLength(10_000);
  expect(reads).toBeLessThan(20_000);
});
