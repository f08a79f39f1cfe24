import {
  type AbsentItem,
  type At,
  absent,
  type Container,
  type DeepReadonly,
  type Overlay,
  type Pod,
  type Volume,
  type VolumeMount,
} from '../../../sdk/index.ts';
import type { InstrumentationSpec } from '../resources/instrumentation.ts';
import { planEnv } from './env-plan.ts';

export type NamedVolume = Overlay<Volume> & { readonly name: string };
export type ContainerList = 'containers' | 'initContainers';

/** A container to instrument. */
export interface Target {
  readonly container: DeepReadonly<Container>;
  readonly list: ContainerList;
}

export type PodPlan = ReturnType<typeof planPod>;
export type ContainerPlan = ReturnType<typeof planContainer>;

type ContainerItem = (Overlay<Container> & { readonly $at?: At }) | AbsentItem<{ name: string }>;

/** Plans the additions to a Pod, in their order. */
export function planPod({ spec }: DeepReadonly<Pod>) {
  const existing = { containers: byName(spec?.containers), initContainers: byName(spec?.initContainers) };
  const existingVolumes = byName(spec?.volumes);
  /** Functions, because the plan of a container may still grow. */
  const items: Record<ContainerList, (() => ContainerItem | undefined)[]> = {
    containers: [],
    initContainers: [],
  };
  const plans = new Map<string, ContainerPlan>();
  const volumes = new Map<string, NamedVolume>();
  const labels = new Map<string, string>();
  let sharesProcesses = false;

  /** Adds a container, or completes the environment and mounts of an existing one with that name. */
  function container(added: DeepReadonly<Container>, list: ContainerList): ContainerPlan {
    const known = plans.get(added.name);
    if (known !== undefined) return known;
    const plan = planContainer(added, existing[list].get(added.name));
    plans.set(added.name, plan);
    items[list].push(plan.overlay);
    return plan;
  }

  return {
    container,
    target: ({ container: { name }, list }: Target): ContainerPlan => container({ name }, list),
    /**
     * Adds an init container at the end or before another one. An existing one is only moved, and gets what has been added
     * to the security context of its application since, by another injector for example.
     */
    initContainer(added: DeepReadonly<Container>, before?: string): void {
      const { name, securityContext } = added;
      const present = existing.initContainers.get(name);
      const lacksNothing = securityContext === undefined || present?.securityContext === securityContext;
      if (present !== undefined && lacksNothing && before === undefined) return;
      const item = present === undefined ? added : { name, ...(securityContext && { securityContext }) };
      items.initContainers.push(() =>
        before === undefined ? item : { ...item, $at: { before, keep: true } },
      );
    },
    removeContainer(name: string): void {
      for (const list of ['containers', 'initContainers'] as const) {
        if (existing[list].has(name)) items[list].push(() => absent({ name }));
      }
    },
    volume(volume: NamedVolume): void {
      const { name } = volume;
      if (!existingVolumes.has(name) && !volumes.has(name)) volumes.set(name, volume);
    },
    label(key: string, value: string): void {
      labels.set(key, value);
    },
    shareProcessNamespace(): void {
      sharesProcesses = spec?.shareProcessNamespace !== true;
    },
    /** Returns undefined if the Pod lacks nothing. */
    overlay(): Overlay<Pod> | undefined {
      const initContainers = items.initContainers.map((item) => item()).filter((item) => item !== undefined);
      const containers = items.containers.map((item) => item()).filter((item) => item !== undefined);
      const additions = {
        ...(sharesProcesses && { shareProcessNamespace: true }),
        ...(initContainers.length > 0 && { initContainers }),
        ...(containers.length > 0 && { containers }),
        ...(volumes.size > 0 && { volumes: [...volumes.values()] }),
      };
      if (Object.keys(additions).length === 0) return undefined;
      return {
        ...(labels.size > 0 && { metadata: { labels: Object.fromEntries(labels) } }),
        spec: additions,
      };
    },
  };
}

function byName<T extends { readonly name: string }>(items: readonly T[] = []): ReadonlyMap<string, T> {
  const itemsByName = new Map<string, T>();
  for (const item of items) itemsByName.set(item.name, item);
  return itemsByName;
}

/** `added` has the fields of a new container besides environment and mounts; an existing one keeps its own. */
function planContainer(added: DeepReadonly<Container>, existing: DeepReadonly<Container> | undefined) {
  const env = planEnv(existing?.env ?? []);
  const existingMounts = existing?.volumeMounts ?? [];
  const mounts: DeepReadonly<VolumeMount>[] = [];
  const unmounts: AbsentItem<{ mountPath: string }>[] = [];
  const configurations = new Set<InstrumentationSpec>();
  return {
    env,
    /** Whether another language has added what all languages of an Instrumentation share. */
    isConfiguredBy: (spec: InstrumentationSpec): boolean => configurations.has(spec),
    configureBy(spec: InstrumentationSpec): void {
      configurations.add(spec);
    },
    mount(mount: DeepReadonly<VolumeMount>): void {
      const own = existingMounts.find(({ mountPath }) => mountPath === mount.mountPath);
      if (own?.name !== mount.name) mounts.push(mount);
    },
    /** Returns the name of the volume that will be mounted at a path. */
    volumeAt: (mountPath: string): string | undefined =>
      [...mounts, ...existingMounts].find((mount) => mount.mountPath === mountPath)?.name,
    /** Removes the existing mount at a path. */
    unmount(mountPath: string): void {
      unmounts.push(absent({ mountPath }));
    },
    /** Returns undefined if the container lacks nothing. */
    overlay(): ContainerItem | undefined {
      const entries = env.overlay();
      const volumeMounts = [...unmounts, ...mounts];
      if (existing === undefined)
        return { ...added, env: entries, ...(volumeMounts.length > 0 && { volumeMounts }) };
      if (entries.length + volumeMounts.length === 0) return undefined;
      return { name: added.name, env: entries, volumeMounts };
    },
  };
}
