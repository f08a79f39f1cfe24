import type { Container, DeepReadonly, EnvVar, Volume } from '../../sdk/index.ts';
import type { LogPath } from './log-path.ts';
import {
  copyOf,
  coveringMount,
  innerMounts,
  isSameMount,
  type Mount,
  type Mounted,
  mountAt,
  type Source,
  type VolumesByName,
  withPaths,
} from './mounts.ts';
import { mountObstacle } from './paths.ts';
import { quoted } from './value-parsers.ts';
import { freeVolumeName, logVolumeName } from './volume-name.ts';

/** The additions that let the sidecar read the logs of the other containers. */
export interface LogMounts {
  readonly volumes: Pick<Volume, 'name' | 'emptyDir'>[];
  /** For the other containers, by container name. */
  readonly mounts: Map<string, Mount[]>;
  readonly sidecarMounts: readonly Mount[];
  /** For the sidecar: variables that the `subPathExpr` of a mount refers to. */
  readonly env: readonly DeepReadonly<EnvVar>[];
  readonly warnings: string[];
  /** Why the Pod cannot get these mounts. */
  readonly problem?: string;
}

/** In characters, for all containers together. The API server cannot store Pods larger than 1.5 MiB. */
const MAX_ADDED = 2 ** 20;
/** The keys and quotes of a mount in JSON. */
const MOUNT_OVERHEAD = 64;

/** Each directory gets one volume: the one that a container already mounts there, or else a new emptyDir. */
export function planLogMounts(
  logPath: LogPath,
  containers: readonly DeepReadonly<Container>[],
  sidecar: DeepReadonly<Container>,
  podVolumes: VolumesByName,
): LogMounts {
  const own = withPaths(sidecar);
  const plan: Plan = {
    containers: containers.map(withPaths),
    podVolumes,
    existing: new Map(own.mounts.map((source) => [source.path, source])),
    added: new Map(),
    volumes: [],
    mounts: new Map(),
    size: 0,
    variables: new Map(),
    warnings: [],
  };
  for (const directory of logPath.directories) {
    const source = sourceOf(directory, plan.containers, own);
    if (source === undefined) addVolume(directory, sidecar, plan);
    else shareMount(source, directory, plan);
  }
  shareInnerMounts(logPath, plan);
  const { volumes, mounts, warnings } = plan;
  const result = { volumes, mounts, warnings, sidecarMounts: sidecarMountsOf(plan.added), env: envOf(plan) };
  return plan.size > MAX_ADDED ? { ...result, problem: tooLarge(logPath, containers) } : result;
}

interface Plan extends Pick<LogMounts, 'volumes' | 'mounts' | 'warnings'> {
  readonly containers: readonly Mounted[];
  readonly podVolumes: VolumesByName;
  /** Mounts that the sidecar has, and those it gets, by normal path. */
  readonly existing: ReadonlyMap<string, Source>;
  readonly added: Map<string, Source>;
  /** How much is added to the other containers. */
  size: number;
  /** Variables for the sidecar, by the container that has them. */
  readonly variables: Map<DeepReadonly<Container>, Set<string | undefined>>;
}

/** Prefers a mount at the directory. A mount above it counts too: a new volume would hide the user's files in it. */
function sourceOf(directory: string, containers: readonly Mounted[], sidecar: Mounted): Source | undefined {
  for (const container of [sidecar, ...containers]) {
    const source = mountAt(container, directory);
    if (source !== undefined) return source;
  }
  for (const container of containers) {
    const source = coveringMount(container, directory);
    if (source !== undefined) return source;
  }
  return undefined;
}

function addVolume(directory: string, sidecar: DeepReadonly<Container>, plan: Plan): void {
  const isTaken = (candidate: string) => {
    const volume = plan.podVolumes.get(candidate);
    // An emptyDir of that name is from an earlier call.
    const isForeign = volume !== undefined && volume.emptyDir === undefined;
    return isForeign || plan.volumes.some(({ name }) => name === candidate);
  };
  const name = freeVolumeName(logVolumeName(directory), isTaken);
  const mount = { name, mountPath: directory };
  plan.volumes.push({ name, emptyDir: {} });
  plan.added.set(directory, { container: sidecar, mount, path: directory });
  for (const { container } of plan.containers) addMount(container, mount, plan);
}

/** Mounts a container's volume into the sidecar, and into the containers that have nothing at the directory. */
function shareMount(source: Source, directory: string, plan: Plan): void {
  const obstacle = mountObstacle(source.path);
  if (obstacle !== undefined) {
    plan.warnings.push(`filebeat: the logs in ${quoted(directory)} are not shipped: ${obstacle}`);
    return;
  }
  for (const container of plan.containers) {
    const own = coveringMount(container, directory);
    if (own !== undefined && !isSameMount(own, source)) plan.warnings.push(notShipped(own, source));
  }
  shareWithContainers(source, directory, plan);
  if (sidecarMount(source.path, plan) === undefined) addToSidecar(source, plan);
}

/** Mounts volumes inside a log directory into the sidecar, and into the other containers if the list names their path. */
function shareInnerMounts(logPath: LogPath, plan: Plan): void {
  const listed = new Set(logPath.subfolders.map((folder) => folder.join('/')));
  for (const source of innerMounts(logPath, plan.containers, plan.podVolumes)) {
    const visible = sidecarMount(source.path, plan);
    if (visible !== undefined && !isSameMount(visible, source)) {
      plan.warnings.push(notShipped(source, visible));
      continue;
    }
    if (visible === undefined) addToSidecar(source, plan);
    // Once per path: many containers may mount the same one.
    if (listed.delete(source.path)) shareWithContainers(source, source.path, plan);
  }
}

/** A volume above the directory holds more than logs, and `subPathExpr` needs variables that others do not have. */
function shareWithContainers({ mount, path }: Source, directory: string, plan: Plan): void {
  if (path !== directory || mount.subPathExpr !== undefined) return;
  for (const mounted of plan.containers) {
    if (coveringMount(mounted, directory) === undefined) addMount(mounted.container, copyOf(mount), plan);
  }
}

function addMount({ name }: DeepReadonly<Container>, mount: Mount, plan: Plan): void {
  plan.size += mount.name.length + mount.mountPath.length + (mount.subPath?.length ?? 0) + MOUNT_OVERHEAD;
  if (plan.size > MAX_ADDED) return;
  const added = plan.mounts.get(name);
  if (added === undefined) plan.mounts.set(name, [mount]);
  else added.push(mount);
}

function tooLarge({ directories }: LogPath, containers: readonly unknown[]): string {
  return `the mounts of ${directories.length} log directories in ${containers.length} containers exceed 1 MiB`;
}

function sidecarMount(path: string, { existing, added }: Plan): Source | undefined {
  return existing.get(path) ?? added.get(path);
}

function addToSidecar(source: Source, { added, variables }: Plan): void {
  const { container, mount, path } = source;
  added.set(path, { container, mount: { ...copyOf(mount), readOnly: true }, path });
  if (typeof mount.subPathExpr !== 'string') return;
  const names = variables.get(container) ?? new Set();
  variables.set(container, names);
  for (const [, name] of mount.subPathExpr.matchAll(/\$\(([^()]+)\)/g)) names.add(name);
}

/** One pass over each container's variables, however many mounts refer to them. */
function envOf({ variables }: Plan): DeepReadonly<EnvVar>[] {
  return [...variables].flatMap(([{ env = [] }, names]) => env.filter(({ name }) => names.has(name)));
}

/** The runtime creates the mount point of a nested mount, which fails if the mount around it is read-only. */
function sidecarMountsOf(added: ReadonlyMap<string, Source>): Mount[] {
  if (added.size < 2) return [...added.values()].map(({ mount }) => mount);
  // With a slash at the end, the contents of a directory sort right behind it.
  const sorted = [...added.keys()].map((path) => `${path}/`).sort();
  const parents = new Set(sorted.filter((path, index) => sorted[index + 1]?.startsWith(path)));
  return [...added].map(([path, { mount }]) => (parents.has(`${path}/`) ? copyOf(mount) : mount));
}

function notShipped(own: Source, read: Source): string {
  const [ours, theirs] = [read, own].map(
    ({ mount }) => `volume ${quoted(mount.name)} at ${quoted(mount.mountPath)}`,
  );
  return `filebeat: the logs of container ${quoted(own.container.name)} are not shipped: it mounts ${theirs}, but Filebeat reads ${ours}`;
}
