import type { CertificatePair } from '../certificates/certificate-pair.ts';
import { checkPair } from '../certificates/check-pair.ts';
import { isIssuedBy } from '../certificates/is-issued-by.ts';
import { readCertificate, splitCertificates } from '../certificates/read-certificate.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Keyring } from './keyring.ts';

/** Says that a Secret is ours: a Secret's type cannot be changed, so the mark cannot get lost. */
export const SECRET_TYPE = 'podgraft.dev/tls';

export type FoundSecret =
  | { readonly state: 'whole'; readonly keyring: Keyring }
  /** Not there, or there as our manifests make it: empty. */
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
    return { state: 'whole', keyring: parse(data) };
  } catch (error) {
    if (!(error instanceof PodgraftError)) throw error;
    return { state: 'broken', why: error.message };
  }
}

/** The Secret to write: the one that was found with other data, so that the server notices when somebody was faster. */
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
  const data = Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, encode(text)]));
  const fresh = { apiVersion: 'v1', kind: 'Secret', metadata: { ...place, labels: LABELS } };
  return { ...(found ?? fresh), type: SECRET_TYPE, data };
}

const LABELS = { 'app.kubernetes.io/managed-by': 'podgraft' };

function parse(data: JsonObject): Keyring {
  const serving = pairIn(data, 'tls');
  const signer = pairIn(data, 'ca');
  if (!isIssuedBy(serving.certificate, signer.certificate))
    throw broken('"tls.crt" is not signed by "ca.crt"');
  const retired = splitCertificates(textIn(data, 'retired-ca.crt') ?? '');
  for (const certificate of retired) readCertificate(certificate);
  const retireAfter = dateIn(data, 'retire-after');
  return {
    serving,
    signer,
    ...(data['next-ca.crt'] !== undefined && { next: pairIn(data, 'next-ca') }),
    retired,
    ...(retireAfter && { retireAfter }),
  };
}

function pairIn(data: JsonObject, name: string): CertificatePair {
  const certificate = textIn(data, `${name}.crt`);
  const key = textIn(data, `${name}.key`);
  if (certificate === undefined || key === undefined)
    throw broken(`"${name}.crt" or "${name}.key" is missing`);
  const pair = { certificate, key };
  try {
    checkPair(pair);
  } catch (cause) {
    if (!(cause instanceof PodgraftError)) throw cause;
    throw broken(`"${name}.crt" and "${name}.key": ${cause.message}`);
  }
  return pair;
}

function dateIn(data: JsonObject, key: string): Date | undefined {
  const text = textIn(data, key);
  if (text === undefined) return undefined;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw broken(`"${key}" is not a date`);
  return date;
}

function textIn(data: JsonObject, key: string): string | undefined {
  const value = data[key];
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined;
}

function encode(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function broken(why: string): PodgraftError {
  return new PodgraftError('CERTIFICATE_INVALID', why);
}
