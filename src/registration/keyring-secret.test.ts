import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../kube/kube-object.ts';
import { newKeyring, nextKeyring } from './keyring.ts';
import { keyringSecret, readKeyring } from './keyring-secret.ts';
import { lifetimesWith } from './settings.ts';

const place = { namespace: 'podgraft', name: 'podgraft-tls' };
const mint = {
  names: { dnsNames: ['a.b.svc'], ipAddresses: [] },
  lifetimes: lifetimesWith(),
  now: new Date('2030-01-01T00:00:00Z'),
};
const keyring = newKeyring(mint);
const other = newKeyring(mint);
const secret = keyringSecret(keyring, undefined, place);
const withData = (changes: Record<string, string | undefined>): KubeObject => ({
  ...secret,
  data: {
    ...(secret.data as object),
    ...Object.fromEntries(
      Object.entries(changes).map(([key, text]) => [key, text && Buffer.from(text).toString('base64')]),
    ),
  },
});

describe('the Secret', () => {
  test('round-trips at every stage of a rotation', () => {
    const introduced = nextKeyring('introduce', keyring, mint);
    const promoted = nextKeyring('promote', introduced, mint);
    const again = nextKeyring('promote', nextKeyring('introduce', promoted, mint), mint);
    for (const stage of [keyring, introduced, promoted, again]) {
      expect(readKeyring(keyringSecret(stage, undefined, place))).toEqual({ state: 'valid', keyring: stage });
    }
    expect(again.retired).toHaveLength(2);
  });

  test('keeps its metadata when it is written again, and drops outdated data', () => {
    const metadata = { ...place, resourceVersion: '7', annotations: { mine: 'x' } };
    const found = { ...withData({ 'retire-after': '2030-01-01T00:00:00Z' }), metadata };
    const written = keyringSecret(keyring, found, place);
    expect(written.metadata).toEqual(metadata);
    expect(written.data).toEqual(secret.data);
  });

  test('is missing if it does not exist or is still empty, as manifests create it', () => {
    expect(readKeyring(undefined)).toEqual({ state: 'missing' });
    const { data: _, ...empty } = secret;
    expect(readKeyring(empty as KubeObject)).toEqual({ state: 'missing' });
  });

  test('is foreign if it has another type, regardless of its data', () => {
    expect(readKeyring({ ...secret, type: 'kubernetes.io/tls' })).toEqual({
      state: 'foreign',
      why: 'its type is "kubernetes.io/tls", not "podgraft.dev/tls"',
    });
  });

  test.each([
    [{ 'tls.key': undefined }, '"tls.crt" or "tls.key" is missing'],
    [
      { 'tls.key': other.serving.key },
      '"tls.crt" and "tls.key": Cannot use certificate: the key belongs to another certificate',
    ],
    [{ 'ca.crt': 'x' }, '"ca.crt" and "ca.key": Cannot read certificate: not a PEM certificate'],
    [
      { 'ca.crt': other.signer.certificate, 'ca.key': other.signer.key },
      '"tls.crt" is not signed by "ca.crt"',
    ],
    [{ 'next-ca.crt': other.signer.certificate }, '"next-ca.crt" or "next-ca.key" is missing'],
    [{ 'retire-after': 'soon' }, '"retire-after" is not a date'],
  ])('is broken, without leaking a key, in case %#', (changes, why) => {
    expect(readKeyring(withData(changes))).toEqual({ state: 'broken', why });
  });
});
