import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { issueServing, makeCa } from '../certificates/issue-certificate.ts';
import { describeCertificate } from '../certificates/read-certificate.ts';
import { PodgraftError } from '../podgraft-error.ts';

export interface CertsOptions {
  readonly dir: string;
  readonly ip: readonly string[];
  readonly dns: readonly string[];
  readonly days: number;
  readonly force?: true;
}

/**
 * Creates a CA and a serving certificate for local work. The CA's key is discarded: with it anyone could impersonate any
 * server, and a new CA costs nothing.
 */
export async function certs({ dir, ip, dns, days, force }: CertsOptions): Promise<void> {
  const now = new Date();
  const ca = makeCa({ commonName: 'podgraft local', days, now });
  const { certificate, key } = issueServing({
    ca,
    dnsNames: [...new Set(['localhost', ...dns])],
    ipAddresses: [...new Set(['127.0.0.1', '::1', ...ip])],
    days,
    now,
  });
  const files = { 'ca.crt': ca.certificate, 'tls.crt': certificate, 'tls.key': key };
  const existing = Object.keys(files)
    .map((name) => join(dir, name))
    .filter((path) => existsSync(path));
  if (existing.length > 0 && !force) {
    const paths = existing.map((path) => `"${path}"`).join(', ');
    throw new PodgraftError('USAGE', `Cannot write ${paths}: already exists, --force overwrites`);
  }
  await mkdir(dir, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    // Removed first, because an existing file keeps its mode and may be readable by others.
    await rm(join(dir, name), { force: true });
    await writeFile(join(dir, name), text, { mode: name.endsWith('.key') ? 0o600 : 0o644 });
  }

  const { dnsNames, ipAddresses, notAfter } = describeCertificate(certificate);
  process.stderr.write(
    `${join(dir, 'tls.crt')} is for ${[...dnsNames, ...ipAddresses].join(', ')} until ${notAfter.toISOString()}\n`,
  );
  process.stdout.write(`caBundle: ${Buffer.from(ca.certificate).toString('base64')}\n`);
}
