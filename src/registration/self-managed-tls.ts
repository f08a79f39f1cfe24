import type { CertificatePair } from '../certificates/read-certificate.ts';
import type { RegistrationOptions } from './settings.ts';
import { startRegistration } from './start-registration.ts';

/** Podgraft's own certificates, in the form of a server's TLS source. Resolves with the first pair. */
export async function selfManagedTls(options: Omit<RegistrationOptions, 'onCertificate'>) {
  let accept: ((pair: KeyPair) => void) | undefined;
  const registration = await startRegistration({
    ...options,
    onCertificate: (pair) => accept?.(keyPair(pair)),
  });
  const initial = registration.certificate();
  return {
    initial: keyPair(initial),
    caExpires: () => registration.expiry().ca,
    /** Calls back with every pair after the first. The returned function ends the registration. */
    onChange(listener: (pair: KeyPair) => void): () => void {
      accept = listener;
      const latest = registration.certificate();
      // It may have changed before there was a listener.
      if (latest !== initial) listener(keyPair(latest));
      return () => {
        accept = undefined;
        void registration.stop();
      };
    },
  };
}

type KeyPair = ReturnType<typeof keyPair>;

/** A pair as Node's TLS expects it. */
function keyPair({ certificate, key }: CertificatePair) {
  return { cert: certificate, key };
}
