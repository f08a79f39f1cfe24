import { issueServing, makeCa } from '../certificates/issue-certificate.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { Log } from '../server/log.ts';
import { fixedTls, type KeyPair, type TlsSource, tlsFromFolder } from '../server/tls-source.ts';
import type { Connection } from './open-views.ts';

export interface TlsOptions {
  readonly http?: true;
  readonly tlsDir?: string;
  readonly selfSigned?: true;
  readonly host?: string;
  readonly service: string;
  readonly secret: string;
  readonly webhook: string;
  /** Whether there is a validating webhook. */
  readonly validate?: true;
}

/** The source of the serving certificate; undefined for plain HTTP. In a cluster, podgraft issues its own by default. */
export async function openTls(
  options: TlsOptions,
  connection: Connection | undefined,
  log: Log,
): Promise<TlsSource | undefined> {
  if (options.http) return undefined;
  if (options.tlsDir !== undefined) return tlsFromFolder(options.tlsDir);
  if (options.selfSigned) return fixedTls(selfSigned(options.host));
  if (connection === undefined) {
    throw new PodgraftError(
      'USAGE',
      'no source for the certificate: use --tls-dir, --self-signed or --http (in a cluster, podgraft issues its own)',
    );
  }
  // Loaded on demand: local servers rarely need it.
  const { selfManagedTls } = await import('../registration/self-managed-tls.ts');
  return selfManagedTls({
    ...connection,
    secretName: options.secret,
    serviceName: options.service,
    webhookConfigurations: [
      { kind: 'MutatingWebhookConfiguration', name: options.webhook },
      // Updated if it exists, but required only by the option.
      {
        kind: 'ValidatingWebhookConfiguration',
        name: options.webhook,
        isOptional: options.validate !== true,
      },
    ],
    log,
  });
}

/** A certificate that lives as long as the process. Prints the caBundle that a webhook configuration needs to trust it. */
function selfSigned(host: string | undefined): KeyPair {
  const now = new Date();
  const ca = makeCa({ commonName: 'podgraft try-out', days: 7, now });
  const addresses = new Set(['127.0.0.1', '::1']);
  if (host !== undefined && /^[\d.]+$|:/.test(host)) addresses.add(host);
  const { certificate, key } = issueServing({
    ca,
    dnsNames: ['localhost', 'podgraft.podgraft.svc'],
    ipAddresses: [...addresses],
    days: 7,
    now,
  });
  process.stdout.write(`caBundle: ${Buffer.from(ca.certificate).toString('base64')}\n`);
  return { cert: certificate, key };
}
