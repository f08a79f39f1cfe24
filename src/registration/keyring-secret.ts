import {
  type CertificatePair,
  checkPair,
  isIssuedBy,
  readCertificate,
  splitCertificates,
} from '../certificates/read-certificate.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Keyring } from './keyring.ts';

/** Marks a Secret as podgraft's. The type of a Secret is immutable, so the mark cannot get lost. */
export const SECRET_TYPE = 'podgraft.dev/tls';

export type FoundSecret =
  | { readonly state: 'valid'; readonly keyring: Keyring }
  /** It does not exist, or it is empty, as podgraft's manifests create it. */
  | { readonly state: 'missing' }
  | { readonly state: 'broken'; readonly why: string }
  | { readonly state: 'foreign'; readonly why: string };

export function readKeyring(secret: KubeObject | undefined): FoundSecret {
  if (secret === undefined) return { state: 'missing' };
  if (secret.type !== SECRET_TYPE) {
    return { state: 'foreign', why: `its type is "${String(secret.type)}", not "${SECRET_TYPE}"` };
  }
  const data = isJsonObject(secret.data) ? secret.data : {};
  if (Object.keys(data).length === 0) return { state: 'missing' };
  try {
    return { state: 'valid', keyring: parse(data) };
  } catch (error) {
    if (!(error instanceof PodgraftError)) throw error;
    return { state: 'broken', why: error.message };
  }
}

/** The Secret to write: the one that was read, with new data. Its resourceVersion makes the write fail if it has changed since. */
export function keyringSecret(
  { serving, signer, next, retired, retireAfter }: Keyring,
  found: KubeObject | undefined,
  place: { readonly namespace: string; readonly name: string },
): KubeObject {
  const texts = {
    'tls.crt': serving.certificate,
    'tls.key': serving.key,
    'ca.crt': signer.certificate,
    'ca.key': signer.key,
    ...(next && { 'next-ca.crt': next.certificate, 'next-ca.key': next.key }),
    ...(retired.length > 0 && { 'retired-ca.crt': retired.join('') }),
    ...(retireAfter && { 'retire-after': retireAfter.toISOString() }),
  };
  const data = Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]),
  );
  const labels = { 'app.kubernetes.io/managed-by': 'podgraft' };
  const fresh = { apiVersion: 'v1', kind: 'Secret', metadata: { ...place, labels } };
  return { ...(found ?? fresh), type: SECRET_TYPE, data };
}

function parse(data: JsonObject): Keyring {
  const serving = pairIn(data, 'tls');
  const signer = pairIn(data, 'ca');
  if (!isIssuedBy(serving.certificate, signer.certificate)) {
    throw broken('"tls.crt" is not signed by "ca.crt"');
  }
  const retired = splitCertificates(textIn(data, 'retired-ca.crt') ?? '');
  for (const certificate of retired) readCertificate(certificate);
  const retireAfter = textIn(data, 'retire-after');
  if (retireAfter !== undefined && Number.isNaN(Date.parse(retireAfter))) {
    throw broken('"retire-after" is not a date');
  }
  return {
    serving,
    signer,
    ...(data['next-ca.crt'] !== undefined && { next: pairIn(data, 'next-ca') }),
    retired,
    ...(retireAfter && { retireAfter: new Date(retireAfter) }),
  };
}

function pairIn(data: JsonObject, name: string): CertificatePair {
  const certificate = textIn(data, `${name}.crt`);
  const key = textIn(data, `${name}.key`);
  if (certificate === undefined || key === undefined) {
    throw broken(`"${name}.crt" or "${name}.key" is missing`);
  }
  try {
    checkPair({ certificate, key });
  } catch (cause) {
    if (!(cause instanceof PodgraftError)) throw cause;
    throw broken(`"${name}.crt" and "${name}.key": ${cause.message}`);
  }
  return { certificate, key };
}

function textIn(data: JsonObject, key: string): string | undefined {
  const value = data[key];
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString() : undefined;
}

function broken(why: string): PodgraftError {
  return new PodgraftError('CERTIFICATE_INVALID', why);
}
