import { generateKeyPairSync } from 'node:crypto';
import type { CertificatePair } from './certificate-pair.ts';
import { boolean, integer, namedBits, sequence } from './der.ts';
import { encodeName, signCertificate } from './sign-certificate.ts';
import { validity } from './validity.ts';

export interface CaOptions {
  readonly commonName: string;
  /** May be a fraction. */
  readonly days: number;
  readonly now: Date;
}

/** A certificate authority (ECDSA P-256) that signs serving certificates and no further authorities. */
export function makeCa({ commonName, days, now }: CaOptions): CertificatePair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = encodeName(commonName);
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const certificate = signCertificate(
    {
      issuer: name,
      subject: name,
      ...validity(days, now),
      publicKey: spki,
      signerPublicKey: spki,
      extensions: [
        // CA:TRUE, pathlen:0
        { id: '2.5.29.19', critical: true, value: sequence(boolean(true), integer(Buffer.of(0))) },
        { id: '2.5.29.15', critical: true, value: namedBits(KEY_CERT_SIGN) },
      ],
    },
    privateKey,
  );
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

const KEY_CERT_SIGN = 5;
