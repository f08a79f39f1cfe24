import type { AbsentItem, At } from '../../graft/directive.ts';
import {
  absent,
  type Container,
  type DeepReadonly,
  type Overlay,
  type VolumeMount,
} from '../../sdk/index.ts';
import { type EnvPlan, planEnv } from './env-plan.ts';

type Mount = DeepReadonly<VolumeMount>;

export type ContainerWish = Overlay<Container> & { readonly $at?: At };

/** What is to be added to one container. */
export interface ContainerPlan {
  readonly env: EnvPlan;
  mount(mount: Mount): void;
  /** The volume at a path, as it will be. */
  volumeAt(mountPath: string): string | undefined;
  /** Takes the mount at a path away. */
  unmount(mountPath: string): void;
  /** Undefined where there is nothing to add. */
  overlay(): ContainerWish | undefined;
}

/** `wanted` is what a new container is to say besides; `found` is how it stands in the Pod. */
export function planContainer(
  wanted: DeepReadonly<Container>,
  found: DeepReadonly<Container> | undefined,
): ContainerPlan {
  const env = planEnv(found?.env ?? []);
  const mounts: Mount[] = [];
  const unmounts: AbsentItem<{ mountPath: string }>[] = [];
  return {
    env,
    mount: (mount) => {
      const { name, mountPath } = mount;
      const own = found?.volumeMounts?.find((other) => other.mountPath === mountPath);
      if (own?.name !== name) mounts.push(mount);
    },
    volumeAt: (mountPath) =>
      [...mounts, ...(found?.volumeMounts ?? [])].find((mount) => mount.mountPath === mountPath)?.name,
    unmount: (mountPath) => {
      unmounts.push(absent({ mountPath }));
    },
    overlay: () => {
      const entries = env.overlay();
      if (found !== undefined && entries.length === 0 && unmounts.length + mounts.length === 0)
        return undefined;
      const volumeMounts = unmounts.length === 0 ? mounts : [...unmounts, ...mounts];
      if (found !== undefined) return { name: wanted.name, env: entries, volumeMounts };
      return { ...wanted, env: entries, ...(volumeMounts.length > 0 && { volumeMounts }) };
    },
  };
}
