import { describe, expect, it } from 'vitest';
import { checkClusterFlags } from './cluster-flags.ts';
import { millisecondsOf } from './duration.ts';
import type { Connection } from './open-views.ts';

const connection = { namespace: 'podgraft' } as Connection;
const flags = { webhook: 'podgraft', cluster: [] };

describe('options of serve that need a cluster', () => {
  it.each([
    [{ ...flags, restartMissed: true }, connection, '--restart-missed needs --audit-interval'],
    [{ ...flags, auditInterval: '15m' }, undefined, '--audit-interval needs a live cluster'],
    [
      { ...flags, auditInterval: '15m', cluster: ['a.yaml'] },
      connection,
      '--audit-interval needs a live cluster',
    ],
    [{ ...flags, manageWebhooks: 'hash' }, undefined, '--manage-webhooks needs a live cluster'],
  ])('%j', (given, connected, message) => {
    expect(() => checkClusterFlags(given, connected)).toThrow(message);
  });

  it('are accepted with one', () => {
    checkClusterFlags(
      { ...flags, auditInterval: '15m', restartMissed: true, manageWebhooks: 'x' },
      connection,
    );
    checkClusterFlags(flags, undefined);
  });
});

it.each([
  ['10s', 10_000],
  ['15m', 900_000],
  ['24h', 86_400_000],
  ['9s', undefined],
  ['25h', undefined],
  ['15', undefined],
  ['-1m', undefined],
  ['1.5h', undefined],
  ['0m', undefined],
])('the time %s', (text, expected) => {
  expect(millisecondsOf(text)).toBe(expected);
});
