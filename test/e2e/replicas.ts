import { readdirSync, readFileSync } from 'node:fs';
import { describeCertificate } from '../../src/certificates/read-certificate.ts';
import { accepted, type Client } from '../kubernetes/client.ts';
import { eventually } from '../kubernetes/eventually.ts';
import { type Installed, kubectl } from './install.ts';

export interface Replica {
  readonly metadata: { readonly name: string; readonly uid: string; readonly deletionTimestamp?: string };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** The Pods of an installation. */
export async function replicas(client: Client, { namespace }: Installed): Promise<readonly Replica[]> {
  const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=app.kubernetes.io/name=podgraft`;
  return accepted(await client.request<{ items: Replica[] }>('GET', path)).items;
}

export function isReady({ metadata, status }: Replica): boolean {
  if (metadata.deletionTimestamp !== undefined) return false;
  return status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}

/** Waits until exactly `count` Pods exist and all are ready. */
export async function replicasReady(client: Client, installed: Installed, count: number) {
  await eventually(
    `${count} ready replicas`,
    async () => {
      const found = await replicas(client, installed);
      return found.length === count && found.every(isReady);
    },
    { within: 90_000, every: 200 },
  );
}

/** The server's process in a replica, as this machine sees it. The cgroup of a container names its Pod. */
export function serverProcess({ metadata }: Replica): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const isOurs = readFileSync(`/proc/${pid}/cgroup`, 'utf8').includes(metadata.uid);
      if (isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('main.js\0serve'))
        return Number(pid);
    } catch {
      // It ended meanwhile.
    }
  }
  throw new Error(`Cannot find the process of ${metadata.name}`);
}

/** The serving certificate in the installation's Secret, in PEM. */
export async function servingCertificate(client: Client, { namespace, name }: Installed): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/secrets/${name}-tls`;
  const { data } = accepted(await client.request<{ data: Record<string, string> }>('GET', path));
  return Buffer.from(data['tls.crt'] ?? '', 'base64').toString();
}

/** Waits until every replica has loaded a certificate, as its log says. With a mounted Secret, the kubelet has to update the files first. */
export async function certificateLoaded(client: Client, installed: Installed, certificate: string) {
  const expires = describeCertificate(certificate).notAfter.toISOString();
  await eventually(
    'all replicas load the certificate',
    async () => {
      const logs = await Promise.all(
        (await replicas(client, installed)).map(({ metadata }) =>
          kubectl(client, ['logs', '-n', installed.namespace, metadata.name]),
        ),
      );
      return logs.every((log) =>
        log.split('\n').some((line) => line.includes('certificate reloaded') && line.includes(expires)),
      );
    },
    { within: 90_000, every: 500 },
  );
}
