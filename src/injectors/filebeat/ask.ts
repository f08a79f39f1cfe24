import type { StringMap } from '../../kube/kube-object.ts';
import { keyOf, type Memory, newMemory } from '../../sdk/memory.ts';
import { readAnnotations, type Wishes } from './annotations.ts';
import { type ConfigMount, configMount } from './config-mount.ts';
import { type FittedResources, fitResources } from './resources.ts';
import type { Settings } from './settings.ts';
import type { Sidecar } from './sidecar.ts';

/** What a Pod asks for, and what follows from that alone. All Pods of a workload ask for the same. */
export interface Ask {
  readonly wishes: Wishes;
  /** For a sidecar that is not there yet. */
  readonly resources: FittedResources;
  readonly config: ConfigMount;
  /** Sidecars as they were made for this, by all else that they depend on. */
  readonly sidecars: Memory<Sidecar>;
}

export function askOf(annotations: StringMap, settings: Settings): Ask {
  const texts = settings.annotationKeys.map((key) => annotations[key]);
  // In a file an annotation may be a number still: that is for the reading to report.
  if (texts.some((text) => text !== undefined && typeof text !== 'string'))
    return read(annotations, settings);
  return settings.asks(keyOf(texts), () => read(annotations, settings));
}

function read(annotations: StringMap, settings: Settings): Ask {
  const wishes = readAnnotations(annotations, settings);
  return {
    wishes,
    resources: fitResources(wishes.resources, settings.resources, undefined),
    config: configMount(wishes.configMap),
    sidecars: newMemory(),
  };
}
