import type { Container, VolumeMount } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';
import { isInside, normalPath } from './paths.ts';

export type Mount = DeepReadonly<VolumeMount>;
export type Subject = DeepReadonly<Pick<Container, 'name' | 'volumeMounts' | 'env'>>;

/** A mount, and the container that has it. */
export interface Source {
  readonly container: Subject;
  readonly mount: Mount;
}

export function mountAt(mounts: readonly Mount[] | undefined, directory: string): Mount | undefined {
  return mounts?.find(({ mountPath }) => normalPath(mountPath) === directory);
}

/** Where the container's files in a directory are: the innermost of its mounts there or above. */
export function coveringMount(container: Subject, directory: string): Mount | undefined {
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

export function samePlace({ name, mountPath, subPath, subPathExpr }: Mount): Mount {
  return { name, mountPath, ...(subPath && { subPath }), ...(subPathExpr && { subPathExpr }) };
}

export function isSame(one: Mount, other: Mount): boolean {
  return (
    one.name === other.name &&
    normalPath(one.mountPath) === normalPath(other.mountPath) &&
    one.subPath === other.subPath &&
    one.subPathExpr === other.subPathExpr
  );
}
