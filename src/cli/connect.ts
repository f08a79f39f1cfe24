import { createClient, type KubeClient } from '../cluster/client/client.ts';
import { findConnection } from '../cluster/client/find-connection.ts';
import { isInCluster } from '../cluster/client/in-cluster.ts';

export interface ConnectOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** A cluster to live in: the one we run in or one that was named; undefined where neither is so. */
export interface Home {
  readonly client: KubeClient;
  readonly namespace: string;
}

export function connect({ kubeconfig, context }: ConnectOptions): Home | undefined {
  const named = kubeconfig !== undefined || context !== undefined || process.env.KUBECONFIG !== undefined;
  if (!named && !isInCluster()) return undefined;
  const connection = findConnection({ ...(kubeconfig && { path: kubeconfig }), ...(context && { context }) });
  return { client: createClient(connection), namespace: connection.namespace ?? 'podgraft' };
}
