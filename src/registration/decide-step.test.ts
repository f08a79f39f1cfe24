import { describe, expect, test } from 'vitest';
import { decideStep, type Situation } from './decide-step.ts';
import { type Keyring, newKeyring, nextKeyring } from './keyring.ts';
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
  decideStep(
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
  step({ found: { state: 'valid', keyring }, ...situation }, now);

describe('with a valid Secret', () => {
  test.each([
    ['rest', 'the start', fresh, 0],
    ['rest', 'four days', fresh, 4 * DAY],
    ['renew', 'two thirds of the life of the serving certificate', fresh, 4.7 * DAY],
    ['renew', 'the end of the serving certificate', fresh, 8 * DAY],
    ['rest', 'a renewed serving certificate', renewed(5 * DAY), 5 * DAY],
    ['rest', 'a clock that is behind by less than an hour', fresh, -59 * MINUTE],
    ['rest', 'half of the life of the CA', renewed(180 * DAY), 180 * DAY],
    ['introduce', 'two thirds of the life of the CA', renewed(244 * DAY), 244 * DAY],
    ['introduce', 'the end of the CA', renewed(364 * DAY), 366 * DAY],
    ['rest', 'a next CA that is not published everywhere', introduced(244 * DAY), 244 * DAY],
    ['renew', 'a next CA that has been unpublished for days', introduced(244 * DAY), 249 * DAY],
    ['renew', 'an unpublished next CA and an expired serving certificate', introduced(244 * DAY), 252 * DAY],
    [
      'renew',
      'a serving certificate from a clock that is ahead, during a rotation',
      dated,
      245 * DAY - 90 * MINUTE,
    ],
    ['promote', 'an unpublished next CA and an expired CA', introduced(244 * DAY), 366 * DAY],
    ['introduce', 'an expired next CA', introduced(244 * DAY), 610 * DAY],
    ['rest', 'an old CA whose last certificate is still valid', promoted(244 * DAY), 248 * DAY],
  ])('decides to %s: %s', (expected, _, keyring, at) => {
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

  test('replaces certificates from a clock that was far ahead, in a finite number of steps', () => {
    expect(stepWith(fresh, later(-2 * HOUR)).step).toBe('introduce');
    const mixed = nextKeyring('introduce', fresh, mintAt(later(-2 * HOUR)));
    expect(stepWith(mixed, later(-2 * HOUR)).step).toBe('promote');
    const healed = nextKeyring('promote', mixed, mintAt(later(-2 * HOUR)));
    expect(stepWith(healed, later(-2 * HOUR)).step).toBe('rest');
    expect(stepWith(healed, start).step).toBe('rest');
  });

  test('does not renew a certificate that would end no later', () => {
    // The CA ends on day 365, and so does this certificate.
    const last = renewed(364 * DAY);
    const held = nextKeyring('introduce', last, mintAt(later(364 * DAY)));
    expect(stepWith(held, later(364.9 * DAY)).step).toBe('rest');
  });

  test('renews for a missing name, and keeps the names of other replicas', () => {
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

describe('without a valid Secret', () => {
  test('creates one at the first start', () => {
    expect(step({}, start)).toEqual({ step: 'create', reason: 'there is no Secret' });
  });

  test('restores the remembered keyring while its certificate is valid', () => {
    expect(step({ remembered: fresh }, later(DAY)).step).toBe('restore');
    expect(step({ remembered: fresh }, later(8 * DAY)).step).toBe('create');
    const found = { state: 'broken', why: '"tls.key" is missing' } as const;
    expect(step({ found, remembered: fresh }, later(DAY))).toMatchObject({
      step: 'restore',
      reason: 'the Secret is broken: "tls.key" is missing',
    });
  });

  test('waits a while for another replica that may be serving', () => {
    expect(step({ othersMayServe: true, missingMs: 59_999 }, start).step).toBe('wait');
    expect(step({ othersMayServe: true, missingMs: 60_000 }, start).step).toBe('create');
  });

  test('refuses a foreign Secret', () => {
    const found = { state: 'foreign', why: 'its type is "Opaque"' } as const;
    expect(step({ found, remembered: fresh }, start)).toEqual({
      step: 'refuse',
      reason: 'its type is "Opaque"',
    });
  });
});

describe('a rotation', () => {
  test('retires the old CA in three steps, of which the second drops its key', () => {
    const first = introduced(244 * DAY);
    expect(first).toMatchObject({ signer: fresh.signer, retired: [] });
    const second = nextKeyring('promote', first, mintAt(later(244 * DAY)));
    expect(second).toMatchObject({ signer: first.next, retired: [fresh.signer.certificate] });
    expect(JSON.stringify(second)).not.toContain(JSON.stringify(fresh.signer.key).slice(1, -1));
    const third = nextKeyring('retire', second, mintAt(later(252 * DAY)));
    expect(third).toEqual({ serving: second.serving, signer: second.signer, retired: [] });
  });

  test('is started by restoring, but only once', () => {
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
