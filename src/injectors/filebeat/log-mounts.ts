import type { Container, EnvVar, Volume, VolumeMount } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import { isInside, normalPath } from './log-directories.ts';
import { type LogDirectory, logDirectory } from './log-directory.ts';
import { freeVolumeName } from './volume-name.ts';

export type Mount = DeepReadonly<VolumeMount>;
type Subject = DeepReadonly<Pick<Container, 'name' | 'volumeMounts' | 'env'>>;

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
  directories: readonly LogDirectory[],
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

  for (const wanted of directories) {
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
    for (const container of containers) {
      const own = coveringMount(container, directory);
      if (own === undefined) {
        if (isForAll(source.mount, directory)) add(container, samePlace(source.mount));
      } else if (!isSame(own, source.mount)) {
        warnings.push(unseen(container, own, source.mount));
      }
    }
    if (mountAt(sidecar, normalPath(source.mount.mountPath)) === undefined) {
      add(sidecar, { ...samePlace(source.mount), readOnly: true });
      env.push(...variablesOf(source));
    }
  }
  return { volumes, mounts, env, warnings };
}

interface Source {
  readonly container: Subject;
  readonly mount: Mount;
}

/** A mount above the directory counts too: a volume inside it would hide what the user has there. */
function sourceOf(directory: string, containers: readonly Subject[], sidecar: Subject): Source | undefined {
  return (
    firstMount([sidecar, ...containers], (container) => mountAt(container, directory)) ??
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

function mountAt(container: Subject, directory: string): Mount | undefined {
  return container.volumeMounts?.find(({ mountPath }) => normalPath(mountPath) === directory);
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
  return emptyDir !== undefined && emptyDir !== null;
}

/** A volume above the directory holds more than logs, and `subPathExpr` needs variables that others do not have. */
function isForAll({ mountPath, subPathExpr }: Mount, directory: string): boolean {
  return normalPath(mountPath) === directory && subPathExpr === undefined;
}

function samePlace({ name, mountPath, subPath, subPathExpr }: Mount): Mount {
  return { name, mountPath, ...(subPath && { subPath }), ...(subPathExpr && { subPathExpr }) };
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
