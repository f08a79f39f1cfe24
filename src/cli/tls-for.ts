import { PodgraftError } from '../podgraft-error.ts';
import type { Log } from '../server/log.ts';
import { fixedTls, type TlsSource, tlsFromFolder } from '../server/tls-source.ts';
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
  const { selfManagedTls } = await import('../registration/self-managed-tls.ts');
  return selfManagedTls({
    client: home.client,
    namespace: home.namespace,
    secretName: secret,
    serviceName: service,
    webhookConfigurations: [
      { kind: 'MutatingWebhookConfiguration', name: webhook },
      { kind: 'ValidatingWebhookConfiguration', name: webhook },
    ],
    log,
  });
}
