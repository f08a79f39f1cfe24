import { createClient, type KubeClient } from '../cluster/client/client.ts';
import { findConnection, isInCluster } from '../cluster/client/find-connection.ts';
import { filesView } from '../cluster/views/files-view.ts';
import { createLiveView, type LiveView } from '../cluster/views/live-view.ts';
import { readManifests } from '../files/read-manifests.ts';
import { watchFiles } from '../files/watched-files.ts';
import { fileSources, type Pipeline } from '../pipeline/pipeline.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { FailedRead, ObjectRef } from '../sdk/reads.ts';
import type { Log } from '../server/log.ts';

export interface ConnectOptions {
  readonly kubeconfig?: string;
  readonly context?: string;
}

export interface Connection {
  readonly client: KubeClient;
  readonly namespace: string;
}

/** Connects to the cluster named by the options or KUBECONFIG, else to the one that podgraft runs in, if any. */
export function connect({ kubeconfig, context }: ConnectOptions): Connection | undefined {
  const isNamed = kubeconfig !== undefined || context !== undefined || process.env.KUBECONFIG !== undefined;
  if (!isNamed && !isInCluster()) return undefined;
  const found = findConnection({ ...(kubeconfig && { path: kubeconfig }), ...(context && { context }) });
  return { client: createClient(found), namespace: found.namespace ?? 'podgraft' };
}

/** Everything the server reads besides the review. */
export interface Views {
  readonly cluster: ClusterView;
  readonly files: FileView;
  readonly gather?: (needs: readonly ObjectRef[], milliseconds: number) => Promise<readonly FailedRead[]>;
  /** Absent if objects come from files. */
  readonly live?: LiveObjects;
  notReady(): readonly string[];
  /** Stops whatever `next` does not share. */
  stop(next?: Views): void;
}

/** Watches of a cluster. Configurations that read the same objects share them. */
interface LiveObjects {
  readonly view: LiveView;
  readonly reads: string;
  stop(): void;
}

/** Cluster objects come from `clusterFiles` if given, else from the connected cluster; without either there are none. */
export function openViews(
  clusterFiles: readonly string[],
  connection: Connection | undefined,
  pipeline: Pipeline,
  log: Log,
  previous?: Views,
): Views {
  const files = watchFiles(fileSources(pipeline), {
    onInvalid: (path, error) =>
      log.error({ path, error: String(error) }, 'cannot read file, keeping its previous content'),
  });
  if (clusterFiles.length > 0 || connection === undefined) {
    const cluster = filesView(readManifests(clusterFiles));
    return { cluster, files, notReady: () => [], stop: () => files.stop() };
  }
  const live = openLive(connection, pipeline, log, previous?.live);
  const { view } = live;
  return {
    cluster: view,
    files,
    live,
    gather: (needs, milliseconds) => view.read(needs, milliseconds),
    notReady: () => {
      const { synced, detail } = view.synced();
      return synced ? [] : detail;
    },
    stop(next) {
      if (next?.live !== live) live.stop();
      files.stop();
    },
  };
}

function openLive(
  { client }: Connection,
  pipeline: Pipeline,
  log: Log,
  previous: LiveObjects | undefined,
): LiveObjects {
  const reads = pipeline.stages.flatMap((stage) => stage.reads);
  const key = JSON.stringify(reads);
  if (previous?.reads === key) return previous;
  const view = createLiveView({ client, reads, log });
  const ending = new AbortController();
  void view.start(ending.signal);
  return { view, reads: key, stop: () => ending.abort() };
}
