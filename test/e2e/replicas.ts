import { readdirSync, readFileSync } from 'node:fs';
import { accepted, type Client } from '../kubernetes/client.ts';
import { eventually } from '../kubernetes/eventually.ts';
import type { Installed } from './install.ts';

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
