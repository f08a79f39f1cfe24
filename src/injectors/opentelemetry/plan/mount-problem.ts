import {
  type Container,
  type DeepReadonly,
  quoted,
  shortened,
  type VolumeMount,
} from '../../../sdk/index.ts';
import { withoutTrailingSlashes } from '../object-name.ts';

type Mount = DeepReadonly<VolumeMount>;

/** Why a container cannot have these mounts: it mounts another volume at the same path, so the files would be missing. */
export function mountProblem(
  { volumeMounts = [] }: DeepReadonly<Container>,
  mounts: readonly Mount[],
): string | undefined {
  for (const { mountPath, name } of volumeMounts) {
    const path = withoutTrailingSlashes(mountPath);
    for (const ours of mounts) {
      if (ours.mountPath === path && ours.name !== name)
        return `it already mounts volume ${quoted(name)} at ${shortened(mountPath)}`;
    }
  }
  return undefined;
}
