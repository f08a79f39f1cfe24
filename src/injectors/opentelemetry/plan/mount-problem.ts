import type { Container, DeepReadonly, VolumeMount } from '../../../sdk/index.ts';
import { quoted, shortened } from '../message.ts';
import { withoutTrailingSlashes } from '../object-name.ts';

type Mount = DeepReadonly<VolumeMount>;

/** Why a container cannot have these mounts: it mounts another volume at the same path, so the files would be missing. */
export function mountProblem(
  { volumeMounts = [] }: DeepReadonly<Container>,
  mounts: readonly Mount[],
): string | undefined {
  if (mounts.length === 0) return undefined;
  const foreign = volumeMounts.find(({ mountPath, name }) => {
    const path = withoutTrailingSlashes(mountPath);
    // A handful at most.
    return mounts.some((mount) => mount.mountPath === path && mount.name !== name);
  });
  return foreign && `it already mounts volume ${quoted(foreign.name)} at ${shortened(foreign.mountPath)}`;
}
