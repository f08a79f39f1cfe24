import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PodgraftError } from '../../podgraft-error.ts';
import type { Connection } from './connection.ts';
import { fileCredentials } from './file-credentials.ts';
import { type KubeconfigOptions, kubeconfigConnection } from './kubeconfig.ts';

export interface FindOptions extends KubeconfigOptions {
  /** Where the ServiceAccount's token is mounted. */
  readonly folder?: string;
}

const FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The kubeconfig that was chosen by path, context or KUBECONFIG; else the cluster that podgraft runs in; else ~/.kube/config. */
export function findConnection(options: FindOptions = {}): Connection {
  const { path, context, env = process.env } = options;
  const isChosen = path !== undefined || context !== undefined || Boolean(env.KUBECONFIG);
  return !isChosen && isInCluster(options) ? inClusterConnection(options) : kubeconfigConnection(options);
}

/** Whether this process runs in a Pod with a ServiceAccount token. */
export function isInCluster({ env = process.env, folder = FOLDER }: FindOptions = {}): boolean {
  return Boolean(env.KUBERNETES_SERVICE_HOST) && existsSync(join(folder, 'token'));
}

/** The API server of the cluster that podgraft runs in, as the Pod's ServiceAccount. */
export function inClusterConnection(options: FindOptions = {}): Connection {
  const { env = process.env, folder = FOLDER, now = Date.now } = options;
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
  if (!host) throw notFound('KUBERNETES_SERVICE_HOST is not set');
  return {
    server: new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`),
    tls: { ca: readMounted(join(folder, 'ca.crt')) },
    credentials: fileCredentials({ token: { file: join(folder, 'token') } }, now),
    namespace: readMounted(join(folder, 'namespace')).trim(),
  };
}

function readMounted(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw notFound(`cannot read "${file}" (is automountServiceAccountToken off?)`, cause);
  }
}

function notFound(why: string, cause?: unknown): PodgraftError {
  return new PodgraftError('CLUSTER_NOT_FOUND', `Cannot reach the cluster: ${why}`, { cause });
}
