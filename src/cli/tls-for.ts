import type { CertificatePair } from '../certificates/certificate-pair.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Log } from '../server/log.ts';
import { fixedTls, type KeyPair, type TlsSource, tlsFromFolder } from '../server/tls-source.ts';
import type { Home } from './connect.ts';
import { selfSigned } from './self-signed.ts';

export interface TlsOptions {
  readonly http?: true;
  readonly tlsDir?: string;
  readonly selfSigned?: true;
  readonly host?: string;
  readonly service: string;
  readonly secret: string;
  readonly webhook: string;
}

/** Where the certificate comes from: what was asked for, else in a cluster from ourselves. Undefined for plain HTTP. */
export async function tlsFor(
  options: TlsOptions,
  home: Home | undefined,
  log: Log,
): Promise<TlsSource | undefined> {
  if (options.http) return undefined;
  if (options.tlsDir !== undefined) return tlsFromFolder(options.tlsDir);
  if (options.selfSigned) return fixedTls(selfSigned(options.host));
  if (home !== undefined) return selfManaged(options, home, log);
  throw new PodgraftError(
    'USAGE',
    'choose where the certificate comes from: --tls-dir, --self-signed or --http (in a cluster podgraft makes its own)',
  );
}

/** All replicas share one CA; each hears here of the certificate that it should serve. */
async function selfManaged(
  { service, secret, webhook }: TlsOptions,
  home: Home,
  log: Log,
): Promise<TlsSource> {
  // Loaded here, since most starts on a developer's machine do without.
  const { startRegistration } = await import('../registration/start-registration.ts');
  let current: KeyPair | undefined;
  const listeners = new Set<(pair: KeyPair) => void>();
  const registration = await startRegistration({
    client: home.client,
    namespace: home.namespace,
    secretName: secret,
    serviceName: service,
    webhookConfigurations: [
      { kind: 'MutatingWebhookConfiguration', name: webhook },
      { kind: 'ValidatingWebhookConfiguration', name: webhook },
    ],
    log,
    onCertificate(pair: CertificatePair) {
      current = { cert: pair.certificate, key: pair.key };
      for (const accept of listeners) accept(current);
    },
  });
  if (current === undefined) throw new PodgraftError('CERTIFICATE_INVALID', 'No certificate was made');
  return {
    initial: current,
    caExpires: () => registration.expiry().ca,
    onChange(accept) {
      listeners.add(accept);
      return () => {
        listeners.delete(accept);
        void registration.stop();
      };
    },
  };
}
