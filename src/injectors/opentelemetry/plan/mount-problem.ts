import type { Container, DeepReadonly, VolumeMount } from '../../../sdk/index.ts';
import { quoted, shortened } from '../message.ts';
import { withoutTrailingSlashes } from '../object-name.ts';

type Mount = DeepReadonly<VolumeMount>;

/** Why a container cannot have these mounts: it mounts another volume at the same path, so the files would be missing. */
export function mountProblem(
  { volumeMounts = [] }: DeepReadonly<Container>,
  mounts: readonly Mount[],
): string | undefined {
  const wanted = new Map(mounts.map(({ mountPath, name }) => [mountPath, name]));
  const foreign = volumeMounts.find(({ mountPath, name }) => {
    const ours = wanted.get(withoutTrailingSlashes(mountPath));
    return ours !== undefined && ours !== name;
  });
  return foreign && `it already mounts volume ${quoted(foreign.name)} at ${shortened(foreign.mountPath)}`;
}
