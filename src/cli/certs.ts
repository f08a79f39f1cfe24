import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeCertificate } from '../certificates/describe-certificate.ts';
import { issueServing } from '../certificates/issue-serving.ts';
import { makeCa } from '../certificates/make-ca.ts';
import { PodgraftError } from '../podgraft-error.ts';

export interface CertsOptions {
  readonly dir: string;
  readonly ip: readonly string[];
  readonly dns: readonly string[];
  readonly days: number;
  readonly force?: true;
}

/**
 * Makes a CA and a serving pair for local work. The CA's key is not kept: who has it could pretend to be any server, and a
 * new CA costs nothing.
 */
export async function certs(options: CertsOptions): Promise<void> {
  const { dir, days } = options;
  const now = new Date();
  const ca = makeCa({ commonName: 'podgraft local', days, now });
  const { certificate, key } = issueServing({
    ca,
    dnsNames: unique('localhost', ...options.dns),
    ipAddresses: unique('127.0.0.1', '::1', ...options.ip),
    days,
    now,
  });
  await write(
    dir,
    { 'ca.crt': ca.certificate, 'tls.crt': certificate, 'tls.key': key },
    options.force ?? false,
  );

  const { dnsNames, ipAddresses, notAfter } = describeCertificate(certificate);
  process.stderr.write(
    `${join(dir, 'tls.crt')} is for ${[...dnsNames, ...ipAddresses].join(', ')} until ${notAfter.toISOString()}\n`,
  );
  process.stdout.write(`caBundle: ${Buffer.from(ca.certificate).toString('base64')}\n`);
}

async function write(dir: string, files: Readonly<Record<string, string>>, force: boolean): Promise<void> {
  const targets = Object.entries(files).map(([name, text]) => ({ path: join(dir, name), name, text }));
  const present = force ? [] : targets.filter(({ path }) => existsSync(path));
  if (present.length > 0) {
    const names = present.map(({ path }) => `"${path}"`).join(', ');
    throw new PodgraftError('USAGE', `Cannot write ${names}: already there: --force replaces it`);
  }
  await mkdir(dir, { recursive: true });
  for (const { path, name, text } of targets) {
    // Removed first: a file that is there keeps its mode, and may be readable by others.
    await rm(path, { force: true });
    await writeFile(path, text, { mode: name.endsWith('.key') ? 0o600 : 0o644 });
  }
}

function unique(...names: string[]): string[] {
  return [...new Set(names)];
}
