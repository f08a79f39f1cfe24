import type { AbsentItem } from '../../graft/directive.ts';
import {
  absent,
  type Container,
  type DeepReadonly,
  type Overlay,
  type Pod,
  type PodSpec,
} from '../../sdk/index.ts';
import type { NamedVolume } from './agent-volume.ts';
import { type ContainerPlan, type ContainerWish, planContainer } from './container-plan.ts';

export type Place = 'containers' | 'initContainers';

/** A container of the Pod that is to be instrumented. */
export interface Target {
  readonly container: DeepReadonly<Container>;
  readonly place: Place;
}

/** What is to be added to a Pod, collected in the order in which it is to stand there. */
export interface PodPlan {
  target(target: Target): ContainerPlan;
  /** A container of ours that runs beside the others; one of that name gets what it lacks of environment and mounts. */
  sidecar(container: DeepReadonly<Container>, place: Place): ContainerPlan;
  /** An init container of ours: before the one that needs it or, if none does, as the last. */
  initContainer(name: string, make: () => DeepReadonly<Container>, before?: string): void;
  volume(volume: NamedVolume): void;
  label(key: string, value: string): void;
  shareProcessNamespace(): void;
  removeContainer(name: string): void;
  /** Undefined where nothing is planned. */
  overlay(): Overlay<Pod> | undefined;
}

type ContainerItem = ContainerWish | AbsentItem<{ name: string }>;
/** A container's own plan may still grow. */
type Item = ContainerItem | (() => ContainerWish | undefined);

export function planPod({ spec }: DeepReadonly<Pod>): PodPlan {
  const found = { containers: spec?.containers ?? [], initContainers: spec?.initContainers ?? [] };
  const items: Record<Place, Item[]> = { containers: [], initContainers: [] };
  const plans = new Map<string, ContainerPlan>();
  const volumes = new Map<string, NamedVolume>();
  let labels: Record<string, string> | undefined;
  let shares = false;

  const planned = (wanted: DeepReadonly<Container>, place: Place): ContainerPlan => {
    // Names are unique among both kinds of containers.
    const known = plans.get(wanted.name);
    if (known !== undefined) return known;
    const plan = planContainer(
      wanted,
      found[place].find(({ name }) => name === wanted.name),
    );
    plans.set(wanted.name, plan);
    items[place].push(plan.overlay);
    return plan;
  };

  return {
    target: ({ container: { name }, place }) => planned({ name }, place),
    sidecar: planned,
    initContainer: (name, make, before) => {
      // One that is there was made for the Pod as it was then: it only has to stand in the right place.
      const exists = found.initContainers.some((other) => other.name === name);
      if (exists && before === undefined) return;
      const wish = exists ? { name } : make();
      items.initContainers.push(before === undefined ? wish : { ...wish, $at: { before, keep: true } });
    },
    volume: (volume) => {
      const { name } = volume;
      const exists = spec?.volumes?.some((other) => other.name === name) ?? false;
      if (!exists && !volumes.has(name)) volumes.set(name, volume);
    },
    label: (key, value) => {
      labels = { ...labels, [key]: value };
    },
    shareProcessNamespace: () => {
      shares = spec?.shareProcessNamespace !== true;
    },
    removeContainer: (name) => {
      for (const place of ['containers', 'initContainers'] as const) {
        if (found[place].some((other) => other.name === name)) items[place].push(absent({ name }));
      }
    },
    overlay: () => {
      const wanted: Writable<Overlay<PodSpec>> = {};
      const initContainers = items.initContainers.flatMap(wishesOf);
      const containers = items.containers.flatMap(wishesOf);
      if (shares) wanted.shareProcessNamespace = true;
      if (initContainers.length > 0) wanted.initContainers = initContainers;
      if (containers.length > 0) wanted.containers = containers;
      if (volumes.size > 0) wanted.volumes = [...volumes.values()];
      if (Object.keys(wanted).length === 0) return undefined;
      return labels === undefined ? { spec: wanted } : { metadata: { labels }, spec: wanted };
    },
  };
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

function wishesOf(item: Item): readonly ContainerItem[] {
  const wish = typeof item === 'function' ? item() : item;
  return wish === undefined ? [] : [wish];
}
