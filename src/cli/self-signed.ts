import { issueServing } from '../certificates/issue-serving.ts';
import { makeCa } from '../certificates/make-ca.ts';
import type { KeyPair } from '../server/tls-source.ts';

/** A certificate for trying out, gone with the process. Prints what a webhook configuration needs to trust it. */
export function selfSigned(host: string | undefined): KeyPair {
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
