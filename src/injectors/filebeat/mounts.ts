import type { Container, DeepReadonly, Pod, Volume, VolumeMount } from '../../sdk/index.ts';
import { leadsInto } from './leads-into.ts';
import type { LogPath } from './log-path.ts';
import { isAtOrInside, isInside, normalPath } from './paths.ts';

export type Mount = DeepReadonly<VolumeMount>;

/** A container with the normal path of each of its mounts, computed once: a Pod may have megabytes of paths. */
export interface Mounted {
  readonly container: DeepReadonly<Container>;
  readonly mounts: readonly Source[];
}

/** A mount with its normal path, and the container that has it. */
export interface Source {
  readonly container: DeepReadonly<Container>;
  readonly mount: Mount;
  readonly path: string;
}

/** The volumes of a Pod by name, indexed once. */
export type VolumesByName = ReadonlyMap<string, DeepReadonly<Volume>>;

export function volumesByName({ spec }: DeepReadonly<Pod>): VolumesByName {
  const volumes = new Map<string, DeepReadonly<Volume>>();
  for (const volume of spec.volumes ?? []) volumes.set(volume.name, volume);
  return volumes;
}

export function withPaths(container: DeepReadonly<Container>): Mounted {
  const mounts = (container.volumeMounts ?? []).map((mount) => ({
    container,
    mount,
    path: normalPath(mount.mountPath),
  }));
  return { container, mounts };
}

export function mountAt({ mounts }: Mounted, directory: string): Source | undefined {
  return mounts.find(({ path }) => path === directory);
}

/** The mount that holds a container's files of a directory: the innermost one there or above. */
export function coveringMount({ mounts }: Mounted, directory: string): Source | undefined {
  let innermost: Source | undefined;
  for (const source of mounts) {
    if (source.path.length <= (innermost?.path.length ?? 0)) continue;
    if (isAtOrInside(directory, source.path)) innermost = source;
  }
  return innermost;
}

/** Writable mounts inside a log directory that contain listed files: a mount of the directory itself does not show them. */
export function innerMounts(
  { directories, subfolders }: LogPath,
  containers: readonly Mounted[],
  podVolumes: VolumesByName,
): Source[] {
  if (subfolders.length === 0) return [];
  // Segments beyond the deepest folder do not change the answer.
  const depth = 1 + Math.max(...subfolders.map((folder) => folder.length));
  const isInner = ({ mount, path }: Source) => {
    if (mount.readOnly || isReadOnly(podVolumes.get(mount.name))) return false;
    if (!directories.some((directory) => isInside(path, directory))) return false;
    return leadsInto(subfolders, path.split('/', depth));
  };
  return containers.flatMap(({ mounts }) => mounts.filter(isInner));
}

/** Containers cannot write logs there, and Filebeat should not see Secrets. */
function isReadOnly(volume: DeepReadonly<Volume> | undefined): boolean {
  return Boolean(volume?.secret ?? volume?.configMap ?? volume?.projected ?? volume?.downwardAPI);
}

/** The mount as another container needs it, with `readOnly` left to the caller. */
export function copyOf({ name, mountPath, subPath, subPathExpr }: Mount): Mount {
  return { name, mountPath, ...(subPath && { subPath }), ...(subPathExpr && { subPathExpr }) };
}

export function isSameMount(one: Source, other: Source): boolean {
  return (
    one.mount.name === other.mount.name &&
    one.path === other.path &&
    (one.mount.subPath ?? '') === (other.mount.subPath ?? '') &&
    (one.mount.subPathExpr ?? '') === (other.mount.subPathExpr ?? '')
  );
}
