import { filesView } from '../cluster/files-view.ts';
import { createLiveView, type LiveView } from '../cluster/live-view.ts';
import { readManifests } from '../cluster/read-manifests.ts';
import { watchFiles } from '../cluster/watched-files.ts';
import type { ObjectRef } from '../kube/resource.ts';
import { fileSources } from '../pipeline/files.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { Log } from '../server/log.ts';
import type { Home } from './connect.ts';

/** What a server looks at besides the review: other objects of the cluster, and files. */
export interface World {
  readonly cluster: ClusterView;
  readonly files: FileView;
  readonly gather?: (needs: readonly ObjectRef[], milliseconds: number) => Promise<void>;
  /** For metrics, where there is one. */
  readonly liveView?: LiveView;
  notReady(): readonly string[];
  stop(): void;
}

/** Files stand for the cluster where they are given; else it is watched; else there is none. */
export function openWorld(
  clusterFiles: readonly string[],
  home: Home | undefined,
  pipeline: Pipeline,
  log: Log,
): World {
  const files = watchFiles(fileSources(pipeline), {
    onInvalid: (path, error) =>
      log.error({ path, error: String(error) }, 'file not read, what it said before stays'),
  });
  if (clusterFiles.length > 0 || home === undefined) {
    const cluster = filesView(readManifests(clusterFiles));
    return { cluster, files, notReady: () => [], stop: () => files.stop() };
  }
  const reads = pipeline.stages.flatMap((stage) => stage.reads);
  const view = createLiveView({ client: home.client, reads, log });
  const ending = new AbortController();
  void view.start(ending.signal);
  return {
    cluster: view,
    files,
    liveView: view,
    gather: (needs, milliseconds) => view.read(needs, milliseconds),
    notReady: () => {
      const { synced, detail } = view.synced();
      return synced ? [] : detail;
    },
    stop() {
      ending.abort();
      files.stop();
    },
  };
}
