import type { Container, EnvVar, Volume, VolumeMount } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import { innerMounts } from './inner-mounts.ts';
import { type LogDirectory, logDirectory } from './log-directory.ts';
import { whyNoVolume } from './no-place.ts';
import { isInside, normalPath } from './paths.ts';
import type { LogPath } from './value-kinds.ts';
import { freeVolumeName } from './volume-name.ts';

export type Mount = DeepReadonly<VolumeMount>;
export type Subject = DeepReadonly<Pick<Container, 'name' | 'volumeMounts' | 'env'>>;

/** What is to be added so that the sidecar sees what the containers write. */
export interface LogMounts {
  readonly volumes: readonly LogDirectory['volume'][];
  /** By the name of the container. */
  readonly mounts: ReadonlyMap<string, readonly Mount[]>;
  /** For the sidecar: variables that the `subPathExpr` of a mount refers to. */
  readonly env: readonly DeepReadonly<EnvVar>[];
  readonly warnings: readonly string[];
}

/** One volume a directory: that which a container has mounted there already, or a new one. */
export function planLogMounts(
  logPath: LogPath,
  containers: readonly Subject[],
  sidecar: Subject,
  podVolumes: readonly DeepReadonly<Volume>[],
): LogMounts {
  const volumes: LogDirectory['volume'][] = [];
  const mounts = new Map<string, Mount[]>();
  const env: DeepReadonly<EnvVar>[] = [];
  const warnings: string[] = [];
  const add = ({ name }: Subject, mount: Mount) => {
    const list = mounts.get(name) ?? [];
    if (list.length === 0) mounts.set(name, list);
    if (!list.some(({ mountPath }) => mountPath === mount.mountPath)) list.push(mount);
  };
  const show = (source: Source) => {
    add(sidecar, { ...samePlace(source.mount), readOnly: true });
    env.push(...variablesOf(source));
  };

  for (const wanted of logPath.directories) {
    const directory = wanted.path;
    const source = sourceOf(directory, containers, sidecar);
    if (source === undefined) {
      const name = freeVolumeName(podVolumes, wanted.volume.name, isEmptyDir);
      const { volume, mount } = name === wanted.volume.name ? wanted : logDirectory(directory, name);
      volumes.push(volume);
      for (const container of containers) add(container, mount);
      add(sidecar, mount);
      continue;
    }
    const place = normalPath(source.mount.mountPath);
    const obstacle = whyNoVolume(place);
    if (obstacle !== undefined) {
      warnings.push(`filebeat: the logs in "${directory}" are not shipped: ${obstacle}`);
      continue;
    }
    for (const container of containers) {
      const own = coveringMount(container, directory);
      if (own === undefined) {
        if (isForAll(source.mount, directory)) add(container, samePlace(source.mount));
      } else if (!isSame(own, source.mount)) {
        warnings.push(unseen(container, own, source.mount));
      }
    }
    if (mountAt(sidecar.volumeMounts, place) === undefined) show(source);
  }
  for (const source of innerMounts(logPath, containers, podVolumes)) {
    const place = normalPath(source.mount.mountPath);
    const seen = mountAt(sidecar.volumeMounts, place) ?? mountAt(mounts.get(sidecar.name), place);
    if (seen !== undefined && !isSame(seen, source.mount)) {
      warnings.push(unseen(source.container, source.mount, seen));
      continue;
    }
    if (seen === undefined) show(source);
    if (!source.isListed || !isForAll(source.mount, place)) continue;
    for (const container of containers) {
      if (coveringMount(container, place) === undefined) add(container, samePlace(source.mount));
    }
  }
  const shown = mounts.get(sidecar.name) ?? [];
  if (shown.length > 1)
    mounts.set(
      sidecar.name,
      shown.map((mount) => writableAround(shown, mount)),
    );
  return { volumes, mounts, env, warnings };
}

export interface Source {
  readonly container: Subject;
  readonly mount: Mount;
}

/** A mount above the directory counts too: a volume inside it would hide what the user has there. */
function sourceOf(directory: string, containers: readonly Subject[], sidecar: Subject): Source | undefined {
  return (
    firstMount([sidecar, ...containers], ({ volumeMounts }) => mountAt(volumeMounts, directory)) ??
    firstMount(containers, (container) => coveringMount(container, directory))
  );
}

function firstMount(
  containers: readonly Subject[],
  find: (container: Subject) => Mount | undefined,
): Source | undefined {
  for (const container of containers) {
    const mount = find(container);
    if (mount !== undefined) return { container, mount };
  }
  return undefined;
}

function mountAt(mounts: readonly Mount[] | undefined, directory: string): Mount | undefined {
  return mounts?.find(({ mountPath }) => normalPath(mountPath) === directory);
}

/** Where the container's files in a directory are: the innermost of its mounts there or above. */
function coveringMount(container: Subject, directory: string): Mount | undefined {
  let found: Mount | undefined;
  let depth = 0;
  for (const mount of container.volumeMounts ?? []) {
    const path = normalPath(mount.mountPath);
    if (path.length <= depth || (path !== directory && !isInside(directory, path))) continue;
    found = mount;
    depth = path.length;
  }
  return found;
}

function isEmptyDir({ emptyDir }: DeepReadonly<Volume>): boolean {
  return emptyDir !== undefined;
}

/** A volume above the directory holds more than logs, and `subPathExpr` needs variables that others do not have. */
function isForAll({ mountPath, subPathExpr }: Mount, directory: string): boolean {
  return normalPath(mountPath) === directory && subPathExpr === undefined;
}

function samePlace({ name, mountPath, subPath, subPathExpr }: Mount): Mount {
  return { name, mountPath, ...(subPath && { subPath }), ...(subPathExpr && { subPathExpr }) };
}

/** The runtime has to make the place for a mount inside another one, which it cannot do where that is read-only. */
function writableAround(mounts: readonly Mount[], mount: Mount): Mount {
  const path = normalPath(mount.mountPath);
  return mounts.some(({ mountPath }) => isInside(normalPath(mountPath), path)) ? samePlace(mount) : mount;
}

function isSame(one: Mount, other: Mount): boolean {
  return (
    one.name === other.name &&
    normalPath(one.mountPath) === normalPath(other.mountPath) &&
    one.subPath === other.subPath &&
    one.subPathExpr === other.subPathExpr
  );
}

function unseen({ name }: Subject, own: Mount, source: Mount): string {
  const [seen, other] = [source, own].map((mount) => `volume "${mount.name}" at "${mount.mountPath}"`);
  return `filebeat: the logs of container "${name}" are not shipped: it has ${other}, Filebeat reads ${seen}`;
}

function variablesOf({ container, mount }: Source): DeepReadonly<EnvVar>[] {
  const names = [...(mount.subPathExpr ?? '').matchAll(/\$\(([^()]+)\)/g)].map(([, name]) => name);
  return (container.env ?? []).filter(({ name }) => names.includes(name));
}
