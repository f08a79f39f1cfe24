import type { CertificatePair } from '../certificates/certificate-pair.ts';
import { type RegistrationOptions, startRegistration } from './start-registration.ts';

/** A pair as Node's TLS wants it. */
interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** Certificates of our own, as a server's source of them. */
export interface SelfManagedTls {
  readonly initial: KeyPair;
  caExpires(): Date;
  /** Calls back with every pair after the first; stopping it stops looking after them. */
  onChange(accept: (pair: KeyPair) => void): () => void;
}

/** Resolves with the first pair. */
export async function selfManagedTls(
  options: Omit<RegistrationOptions, 'onCertificate'>,
): Promise<SelfManagedTls> {
  const pairs: KeyPair[] = [];
  let accept: ((pair: KeyPair) => void) | undefined;
  const registration = await startRegistration({
    ...options,
    onCertificate({ certificate, key }: CertificatePair) {
      pairs.push({ cert: certificate, key });
      accept?.({ cert: certificate, key });
    },
  });
  const [initial] = pairs;
  if (initial === undefined) throw new TypeError('startRegistration resolved without a pair');
  return {
    initial,
    caExpires: () => registration.expiry().ca,
    onChange(listener) {
      accept = listener;
      // One that came before anybody listened.
      const latest = pairs.at(-1);
      if (latest !== undefined && latest !== initial) listener(latest);
      return () => {
        accept = undefined;
        void registration.stop();
      };
    },
  };
}
