import { describe, expect, test } from 'vitest';
import { decide, type Situation } from './decide.ts';
import type { Keyring } from './keyring.ts';
import { newKeyring, nextKeyring } from './next-keyring.ts';
import { lifetimesWith } from './settings.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const start = new Date('2030-01-01T00:00:00Z');
const later = (ms: number) => new Date(start.getTime() + ms);

const names = { dnsNames: ['podgraft.podgraft.svc'], ipAddresses: [] };
const lifetimes = lifetimesWith();
const mintAt = (now: Date) => ({ names, lifetimes, now });
const fresh = newKeyring(mintAt(start));
const renewed = (at: number) => nextKeyring('renew', fresh, mintAt(later(at)));
const introduced = (at: number) => nextKeyring('introduce', renewed(at), mintAt(later(at)));
const dated = { ...introduced(244 * DAY), serving: renewed(245 * DAY).serving };
const promoted = (at: number) => nextKeyring('promote', introduced(at), mintAt(later(at)));

const step = (situation: Partial<Situation>, now: Date) =>
  decide(
    {
      found: { state: 'missing' },
      remembered: undefined,
      nextPublishedMs: undefined,
      missingMs: 0,
      othersMayServe: false,
      names,
      lifetimes,
      ...situation,
    },
    now,
  );
const stepWith = (keyring: Keyring, now: Date, situation: Partial<Situation> = {}) =>
  step({ found: { state: 'whole', keyring }, ...situation }, now);

describe('with a whole Secret', () => {
  test.each([
    ['rest', 'a fresh start', fresh, 0],
    ['rest', 'four days on', fresh, 4 * DAY],
    ['renew', 'two thirds of the serving certificate on', fresh, 4.7 * DAY],
    ['renew', 'a serving certificate that has ended', fresh, 8 * DAY],
    ['rest', 'a renewed serving certificate', renewed(5 * DAY), 5 * DAY],
    ['rest', 'a clock that is behind by less than an hour', fresh, -59 * MINUTE],
    ['rest', 'half of the CA on', renewed(180 * DAY), 180 * DAY],
    ['introduce', 'two thirds of the CA on', renewed(244 * DAY), 244 * DAY],
    ['introduce', 'a CA that has ended', renewed(364 * DAY), 366 * DAY],
    ['rest', 'a next CA that is not known everywhere', introduced(244 * DAY), 244 * DAY],
    ['renew', 'a next CA that is not known for days', introduced(244 * DAY), 249 * DAY],
    [
      'renew',
      'a next CA that is not known, and a serving certificate that has ended',
      introduced(244 * DAY),
      252 * DAY,
    ],
    [
      'renew',
      'a serving certificate dated by a clock ahead, during a rotation',
      dated,
      245 * DAY - 90 * MINUTE,
    ],
    ['promote', 'a next CA that is not known, and a CA that has ended', introduced(244 * DAY), 366 * DAY],
    ['introduce', 'a next CA that has ended', introduced(244 * DAY), 610 * DAY],
    ['rest', 'an old CA whose last work is valid', promoted(244 * DAY), 248 * DAY],
  ])('decides to %s at %s', (expected, _, keyring, at) => {
    expect(stepWith(keyring, later(at)).step).toBe(expected);
  });

  test('promotes the next CA once it has been in every webhook configuration for long enough', () => {
    const at = later(244 * DAY);
    const keyring = introduced(244 * DAY);
    expect(stepWith(keyring, at, { nextPublishedMs: 5 * MINUTE - 1 }).step).toBe('rest');
    expect(stepWith(keyring, at, { nextPublishedMs: 5 * MINUTE })).toMatchObject({
      step: 'promote',
      reason: 'every API server knows the next CA',
    });
  });

  test('retires the old CA an hour after its last serving certificate has ended, and not before', () => {
    const keyring = { ...promoted(244 * DAY), serving: renewed(250 * DAY).serving };
    expect(keyring.retireAfter).toEqual(later(251 * DAY));
    expect(stepWith(keyring, later(251 * DAY + HOUR)).step).toBe('rest');
    expect(stepWith(keyring, later(251 * DAY + HOUR + 1)).step).toBe('retire');
  });

  test('replaces what a clock that was far ahead has dated, without a fight', () => {
    expect(stepWith(fresh, later(-2 * HOUR)).step).toBe('introduce');
    const mixed = nextKeyring('introduce', fresh, mintAt(later(-2 * HOUR)));
    expect(stepWith(mixed, later(-2 * HOUR)).step).toBe('promote');
    const healed = nextKeyring('promote', mixed, mintAt(later(-2 * HOUR)));
    expect(stepWith(healed, later(-2 * HOUR)).step).toBe('rest');
    expect(stepWith(healed, start).step).toBe('rest');
  });

  test('does not renew what would end no later', () => {
    // The CA ends on day 365; this one is cut to that.
    const last = renewed(364 * DAY);
    const held = nextKeyring('introduce', last, mintAt(later(364 * DAY)));
    expect(stepWith(held, later(364.9 * DAY)).step).toBe('rest');
  });

  test('renews for a name that is missing, and keeps those that other replicas wanted', () => {
    const mine = { dnsNames: ['hooks.podgraft.svc'], ipAddresses: ['::1'] };
    expect(stepWith(fresh, start, { names: mine })).toMatchObject({
      step: 'renew',
      reason: 'the serving certificate lacks a name',
    });
    const both = nextKeyring('renew', fresh, { ...mintAt(start), names: mine });
    expect(stepWith(both, start, { names: mine }).step).toBe('rest');
    expect(stepWith(both, start).step).toBe('rest');
  });
});

describe('without a whole Secret', () => {
  test('creates one at the first start', () => {
    expect(step({}, start)).toEqual({ step: 'create', reason: 'there is no Secret' });
  });

  test('restores what is remembered as long as it can be served', () => {
    expect(step({ remembered: fresh }, later(DAY)).step).toBe('restore');
    expect(step({ remembered: fresh }, later(8 * DAY)).step).toBe('create');
    const found = { state: 'broken', why: '"tls.key" is missing' } as const;
    expect(step({ found, remembered: fresh }, later(DAY))).toMatchObject({
      step: 'restore',
      reason: 'the Secret is broken: "tls.key" is missing',
    });
  });

  test('leaves it to the others for a while where somebody may be serving', () => {
    expect(step({ othersMayServe: true, missingMs: 59_999 }, start).step).toBe('wait');
    expect(step({ othersMayServe: true, missingMs: 60_000 }, start).step).toBe('create');
  });

  test("never touches somebody else's", () => {
    const found = { state: 'foreign', why: 'its type is "Opaque"' } as const;
    expect(step({ found, remembered: fresh }, start)).toEqual({
      step: 'refuse',
      reason: 'its type is "Opaque"',
    });
  });
});

describe('a rotation', () => {
  test('ends the old CA in three acts, of which the second drops its key', () => {
    const first = introduced(244 * DAY);
    expect(first).toMatchObject({ signer: fresh.signer, retired: [] });
    const second = nextKeyring('promote', first, mintAt(later(244 * DAY)));
    expect(second).toMatchObject({ signer: first.next, retired: [fresh.signer.certificate] });
    expect(JSON.stringify(second)).not.toContain(JSON.stringify(fresh.signer.key).slice(1, -1));
    const third = nextKeyring('retire', second, mintAt(later(252 * DAY)));
    expect(third).toEqual({ serving: second.serving, signer: second.signer, retired: [] });
  });

  test('is begun by restoring, and not begun twice', () => {
    const restored = nextKeyring('restore', fresh, mintAt(start));
    expect(restored).toMatchObject({ serving: fresh.serving, signer: fresh.signer });
    expect(restored.next).toBeDefined();
    expect(nextKeyring('restore', restored, mintAt(start))).toEqual(restored);
  });

  test('needs lifetimes that leave time for it', () => {
    expect(() => lifetimesWith({ servingDays: 0.01 })).toThrow('Cannot manage certificates');
    expect(() => lifetimesWith({ graceMs: 1 })).toThrow('Cannot manage certificates');
  });
});
