import {
  type AbsentItem,
  absent,
  at,
  type Container,
  type DeepReadonly,
  type Overlay,
  type Placed,
  type Pod,
  type Volume,
  type VolumeMount,
} from '../../../sdk/index.ts';
import { byName } from './by-name.ts';
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

interface InitContainerPlace {
  readonly securityContext?: DeepReadonly<Container>['securityContext'];
  /** The init container that it has to precede. */
  readonly before?: string | undefined;
}

type ContainerItem = Placed<Overlay<Container>> | AbsentItem<{ name: string }>;

/** Plans the additions to a Pod, in their order. */
export function planPod({ spec }: DeepReadonly<Pod>) {
  const existing = { containers: byName(spec?.containers), initContainers: byName(spec?.initContainers) };
  const existingVolume = byName(spec?.volumes);
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
    const plan = planContainer(added, existing[list](added.name));
    plans.set(added.name, plan);
    items[list].push(plan.overlay);
    return plan;
  }

  return {
    container,
    /** Returns the container of the Pod as it was sent. */
    existing: (list: ContainerList, name: string): DeepReadonly<Container> | undefined =>
      existing[list](name),
    target: ({ container: { name }, list }: Target): ContainerPlan => container({ name }, list),
    /**
     * Adds an init container at the end or before another one. An existing one is only moved, and gets what has been added
     * to the security context of its application since, by another injector for example.
     */
    initContainer(
      added: DeepReadonly<Container>,
      { securityContext = added.securityContext, before }: InitContainerPlace = {},
    ): void {
      const { name } = added;
      const present = existing.initContainers(name);
      const lacksNothing = securityContext === undefined || present?.securityContext === securityContext;
      if (present !== undefined && lacksNothing && before === undefined) return;
      const hasContext = securityContext === added.securityContext;
      const context = securityContext && { securityContext };
      const item =
        present !== undefined ? { name, ...context } : hasContext ? added : extended(added, context);
      items.initContainers.push(() => (before === undefined ? item : at({ before, keep: true }, item)));
    },
    removeContainer(name: string): void {
      for (const list of ['containers', 'initContainers'] as const) {
        if (existing[list](name) !== undefined) items[list].push(() => absent({ name }));
      }
    },
    volume(volume: NamedVolume): void {
      const { name } = volume;
      if (existingVolume(name) === undefined && !volumes.has(name)) volumes.set(name, volume);
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

/** `added` has the fields of a new container besides environment and mounts; an existing one keeps its own. */
function planContainer(added: DeepReadonly<Container>, existing: DeepReadonly<Container> | undefined) {
  const env = planEnv(existing?.env ?? []);
  const existingMounts = existing?.volumeMounts ?? [];
  const mounts: DeepReadonly<VolumeMount>[] = [];
  const unmounts: AbsentItem<{ mountPath: string }>[] = [];
  return {
    env,
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

/** Not a spread: a member after one in a literal costs V8 a new hidden class each time, and every later access a search. */
function extended<T extends object, U extends object>(object: T, members: U | undefined): T & U {
  return Object.assign({}, object, members) as T & U;
}
