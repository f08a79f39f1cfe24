import type { EnvVar, Volume } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import { type InnerMount, innerMounts } from './inner-mounts.ts';
import { type LogDirectory, logDirectory } from './log-directory.ts';
import {
  coveringMount,
  isSame,
  type Mount,
  mountAt,
  type Source,
  type Subject,
  samePlace,
} from './mounts.ts';
import { whyNoVolume } from './no-place.ts';
import { isInside, normalPath } from './paths.ts';
import type { LogPath } from './value-kinds.ts';
import { freeVolumeName } from './volume-name.ts';

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
  const plan: Plan = {
    containers,
    sidecar,
    podVolumes,
    volumes: [],
    mounts: new Map(),
    env: [],
    warnings: [],
  };
  for (const directory of logPath.directories) {
    const source = sourceOf(directory.path, plan);
    if (source === undefined) addVolume(directory, plan);
    else share(source, directory.path, plan);
  }
  for (const source of innerMounts(logPath, containers, podVolumes)) shareInner(source, plan);
  const shown = plan.mounts.get(sidecar.name) ?? [];
  if (shown.length > 1) {
    const writable = shown.map((mount) => writableAround(shown, mount));
    plan.mounts.set(sidecar.name, writable);
  }
  return plan;
}

interface Plan {
  readonly containers: readonly Subject[];
  readonly sidecar: Subject;
  readonly podVolumes: readonly DeepReadonly<Volume>[];
  readonly volumes: LogDirectory['volume'][];
  readonly mounts: Map<string, Mount[]>;
  readonly env: DeepReadonly<EnvVar>[];
  readonly warnings: string[];
}

function addVolume(directory: LogDirectory, plan: Plan): void {
  const name = freeVolumeName(plan.podVolumes, directory.volume.name, isEmptyDir);
  const { volume, mount } = name === directory.volume.name ? directory : logDirectory(directory.path, name);
  plan.volumes.push(volume);
  for (const container of [...plan.containers, plan.sidecar]) addMount(container, mount, plan);
}

/** Lets the sidecar, and the containers that have nothing there, see the volume that one of them has. */
function share(source: Source, directory: string, plan: Plan): void {
  const place = normalPath(source.mount.mountPath);
  const obstacle = whyNoVolume(place);
  if (obstacle !== undefined) {
    plan.warnings.push(`filebeat: the logs in "${directory}" are not shipped: ${obstacle}`);
    return;
  }
  for (const container of plan.containers) {
    const own = coveringMount(container, directory);
    if (own === undefined) {
      if (isForAll(source.mount, directory)) addMount(container, samePlace(source.mount), plan);
    } else if (!isSame(own, source.mount)) {
      plan.warnings.push(unseen(container, own, source.mount));
    }
  }
  if (mountAt(plan.sidecar.volumeMounts, place) === undefined) show(source, plan);
}

/** The same for a volume inside a log directory, unless the sidecar sees another one there. */
function shareInner(source: InnerMount, plan: Plan): void {
  const { containers, sidecar, mounts } = plan;
  const place = normalPath(source.mount.mountPath);
  const seen = mountAt(sidecar.volumeMounts, place) ?? mountAt(mounts.get(sidecar.name), place);
  if (seen !== undefined && !isSame(seen, source.mount)) {
    plan.warnings.push(unseen(source.container, source.mount, seen));
    return;
  }
  if (seen === undefined) show(source, plan);
  if (!source.isListed || !isForAll(source.mount, place)) return;
  for (const container of containers) {
    if (coveringMount(container, place) === undefined) addMount(container, samePlace(source.mount), plan);
  }
}

function show(source: Source, plan: Plan): void {
  addMount(plan.sidecar, { ...samePlace(source.mount), readOnly: true }, plan);
  plan.env.push(...variablesOf(source));
}

function addMount({ name }: Subject, mount: Mount, { mounts }: Plan): void {
  const list = mounts.get(name) ?? [];
  if (list.length === 0) mounts.set(name, list);
  if (!list.some(({ mountPath }) => mountPath === mount.mountPath)) list.push(mount);
}

/** A mount above the directory counts too: a volume inside it would hide what the user has there. */
function sourceOf(directory: string, { containers, sidecar }: Plan): Source | undefined {
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

function isEmptyDir({ emptyDir }: DeepReadonly<Volume>): boolean {
  return emptyDir !== undefined;
}

/** A volume above the directory holds more than logs, and `subPathExpr` needs variables that others do not have. */
function isForAll({ mountPath, subPathExpr }: Mount, directory: string): boolean {
  return normalPath(mountPath) === directory && subPathExpr === undefined;
}

/** The runtime has to make the place for a mount inside another one, which it cannot do where that is read-only. */
function writableAround(mounts: readonly Mount[], mount: Mount): Mount {
  const path = normalPath(mount.mountPath);
  return mounts.some(({ mountPath }) => isInside(normalPath(mountPath), path)) ? samePlace(mount) : mount;
}

function unseen({ name }: Subject, own: Mount, source: Mount): string {
  const [seen, other] = [source, own].map((mount) => `volume "${mount.name}" at "${mount.mountPath}"`);
  return `filebeat: the logs of container "${name}" are not shipped: it has ${other}, Filebeat reads ${seen}`;
}

function variablesOf({ container, mount }: Source): DeepReadonly<EnvVar>[] {
  const names = [...(mount.subPathExpr ?? '').matchAll(/\$\(([^()]+)\)/g)].map(([, name]) => name);
  return (container.env ?? []).filter(({ name }) => names.includes(name));
}
