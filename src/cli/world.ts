import { filesView } from '../cluster/files-view.ts';
import { readManifests } from '../cluster/read-manifests.ts';
import { watchFiles } from '../cluster/watched-files.ts';
import type { ObjectRef } from '../kube/resource.ts';
import { fileSources } from '../pipeline/files.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { Log } from '../server/log.ts';

/** What a server looks at besides the review: other objects of the cluster, and files. */
export interface World {
  readonly cluster: ClusterView;
  readonly files: FileView;
  readonly gather?: (needs: readonly ObjectRef[], milliseconds: number) => Promise<void>;
  notReady(): readonly string[];
  stop(): void;
}

export async function openWorld(
  clusterFiles: readonly string[],
  pipeline: Pipeline,
  log: Log,
): Promise<World> {
  const files = watchFiles(fileSources(pipeline), {
    onInvalid: (path, error) =>
      log.error({ path, error: String(error) }, 'file not read, what it said before stays'),
  });
  return {
    cluster: filesView(readManifests(clusterFiles)),
    files,
    notReady: () => [],
    stop: () => files.stop(),
  };
}
