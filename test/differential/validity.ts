import type { JsonObject } from '../../src/json/json.ts';
import { type StoredPod, storedPods } from './kubernetes/judge-stored-pod.ts';

/** How often Kubernetes' own validation rejects the Pod of one system and accepts that of the other. */
export interface Refused {
  readonly onlyOurs: number;
  readonly onlyTheirs: number;
}

export interface Validity {
  /** Both Pods as the API server stores them, and why it rejects podgraft's, if it accepts the other. */
  compare(ours: JsonObject, theirs: JsonObject): Promise<Compared>;
  /** Returns and resets the counts. */
  take(): Refused;
}

export interface Compared {
  /** Undefined if it cannot be decoded. */
  readonly ours: JsonObject | undefined;
  readonly problem: string | undefined;
}

export function countValidity(): Validity {
  let counts = { onlyOurs: 0, onlyTheirs: 0 };
  return {
    async compare(ours, theirs) {
      const [one, other] = (await storedPods([ours, theirs])) as readonly [StoredPod, StoredPod];
      const [own, their] = [reasonOf(one), reasonOf(other)];
      if (own === undefined && their !== undefined) counts.onlyTheirs++;
      if (own === undefined || their !== undefined) return { ours: one.pod, problem: undefined };
      counts.onlyOurs++;
      return { ours: one.pod, problem: `the API server rejects only ours: ${own}` };
    },
    take() {
      const taken = counts;
      counts = { onlyOurs: 0, onlyTheirs: 0 };
      return taken;
    },
  };
}

function reasonOf({ error, invalid }: StoredPod): string | undefined {
  if (error !== undefined) return error;
  return invalid?.map(({ field, message }) => `${field}: ${message}`).join('; ');
}
