import type { Connection } from './connection.ts';
import { type InClusterOptions, inClusterConnection, isInCluster } from './in-cluster.ts';
import { type KubeconfigOptions, kubeconfigConnection } from './kubeconfig.ts';

export type FindOptions = KubeconfigOptions & InClusterOptions;

/** A kubeconfig that was asked for (by path, context or KUBECONFIG); else the cluster we run in; else ~/.kube/config. */
export function findConnection(options: FindOptions = {}): Connection {
  const { path, context, env = process.env } = options;
  const asked = path !== undefined || context !== undefined || Boolean(env.KUBECONFIG);
  return !asked && isInCluster(options) ? inClusterConnection(options) : kubeconfigConnection(options);
}
