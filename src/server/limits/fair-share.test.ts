import { expect, test } from 'vitest';
import { createFairShare, type FairShare } from './fair-share.ts';

/** Opens a claim that records its name when it gives way. */
function opener(share: FairShare) {
  const gone: string[] = [];
  const open = (name: string, amount: number, peer = 'peer') => {
    const claim = share.claim(peer, () => gone.push(name));
    claim.grow(amount);
    return claim;
  };
  return { gone, open };
}

test('beyond the limit the oldest claim gives way to the newest', () => {
  const share = createFairShare(10);
  const { gone, open } = opener(share);
  for (const name of ['a', 'b', 'c', 'd']) open(name, 4);
  expect(gone).toEqual(['a', 'b']);
  expect([share.held, share.count]).toEqual([8, 2]);
});

test('the peer that holds the most gives way, not an older claim of another', () => {
  const { gone, open } = opener(createFairShare(10));
  open('own', 2, 'api-server');
  for (const name of ['a', 'b', 'c']) open(name, 3, 'flood');
  open('next', 1, 'api-server');
  expect(gone).toEqual(['a']);
});

test('a single peer may hold everything', () => {
  const { gone, open } = opener(createFairShare(10));
  for (let index = 0; index < 10; index++) open(String(index), 1);
  expect(gone).toEqual([]);
});

test('claims that give way last do so only if no other can, the longest idle one first', () => {
  const { gone, open } = opener(createFairShare(3));
  const proven = open('proven', 1);
  proven.giveWay('never');
  proven.giveWay('last');
  open('fresh', 1);
  open('newer', 1);
  open('newest', 1);
  expect(gone).toEqual(['fresh']);
  for (const name of ['x', 'y']) open(name, 1).giveWay('last');
  expect(gone).toEqual(['fresh', 'newer', 'newest']);
  open('z', 1);
  expect(gone).toEqual(['fresh', 'newer', 'newest', 'proven']);
});

test('a claim that finds no other to give way does so itself', () => {
  const { gone, open } = opener(createFairShare(3));
  open('busy', 3).giveWay('never');
  open('newcomer', 1);
  expect(gone).toEqual(['newcomer']);
});

test('a claim is freed once, and a freed one no longer grows', () => {
  const share = createFairShare(10);
  const { open } = opener(share);
  open('other', 1);
  const claim = open('one', 5);
  claim.free();
  claim.free();
  claim.grow(5);
  expect([share.held, share.count]).toEqual([1, 1]);
});
