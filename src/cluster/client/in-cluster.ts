import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PodgraftError } from '../../podgraft-error.ts';
import type { Connection } from './connection.ts';
import { fileCredentials } from './file-credentials.ts';

export interface InClusterOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Where the ServiceAccount's token is mounted. */
  readonly folder?: string;
  readonly now?: () => number;
}

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Whether we run in a Pod that has a ServiceAccount's token. */
export function isInCluster({ env = process.env, folder = FOLDER }: InClusterOptions = {}): boolean {
  return Boolean(env.KUBERNETES_SERVICE_HOST) && existsSync(join(folder, 'token'));
}

/** The API server of the cluster that we run in, as the Pod's ServiceAccount. */
export function inClusterConnection(options: InClusterOptions = {}): Connection {
  const { env = process.env, folder = FOLDER, now = Date.now } = options;
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (!host)
    throw new PodgraftError(
      'CLUSTER_NOT_FOUND',
      'Cannot reach the cluster: KUBERNETES_SERVICE_HOST is not set',
    );
  const read = (name: string) => readMounted(join(folder, name));
  return {
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    tls: { ca: read('ca.crt') },
    credentials: fileCredentials({ token: { file: join(folder, 'token') } }, now),
    namespace: read('namespace').trim(),
  };
}

function readMounted(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const message = `Cannot reach the cluster: cannot read "${file}" (is automountServiceAccountToken off?)`;
    throw new PodgraftError('CLUSTER_NOT_FOUND', message, { cause });
  }
}
