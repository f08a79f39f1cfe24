import { createPrivateKey, type KeyObject } from 'node:crypto';
import { PodgraftError } from '../podgraft-error.ts';
import type { CertificatePair } from './certificate-pair.ts';
import { readCertificate } from './read-certificate.ts';

/** Throws where the key is not one or belongs to another certificate: TLS would only say so at the first handshake. */
export function checkPair({ certificate, key }: CertificatePair): void {
  if (!readCertificate(certificate).checkPrivateKey(readKey(key))) {
    throw new PodgraftError('CERTIFICATE_INVALID', 'Cannot use certificate: the key belongs to another one');
  }
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // Without the cause: nothing of a key is to end up in a log.
    throw new PodgraftError('CERTIFICATE_INVALID', 'Cannot read key: not a PEM private key');
  }
}
