import type { Volume } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import { leadsInto } from './log-folders.ts';
import type { Source, Subject } from './mounts.ts';
import { isInside, normalPath } from './paths.ts';
import type { LogPath } from './value-kinds.ts';

export interface InnerMount extends Source {
  /** The very directory is listed, without a glob. */
  readonly isListed: boolean;
}

/** Volumes that containers have inside a log directory, where a listed path leads: from outside nobody sees into them. */
export function innerMounts(
  { directories, deeper }: LogPath,
  containers: readonly Subject[],
  podVolumes: readonly DeepReadonly<Volume>[],
): InnerMount[] {
  if (deeper.length === 0) return [];
  const found: InnerMount[] = [];
  for (const container of containers) {
    for (const mount of container.volumeMounts ?? []) {
      const path = normalPath(mount.mountPath);
      const isInner = directories.some((directory) => isInside(path, directory.path));
      if (!isInner || !deeper.some((folder) => leadsInto(folder, path))) continue;
      const volume = podVolumes.find(({ name }) => name === mount.name);
      if (mount.readOnly || isReadOnly(volume)) continue;
      found.push({ container, mount, isListed: deeper.some((folder) => folder.join('/') === path) });
    }
  }
  return found;
}

/** No container writes there, and Filebeat had better not see what is in them. */
function isReadOnly(volume: DeepReadonly<Volume> | undefined): boolean {
  const { secret, configMap, projected, downwardAPI } = volume ?? {};
  return Boolean(secret ?? configMap ?? projected ?? downwardAPI);
}
