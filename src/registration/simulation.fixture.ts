import { ApiError } from '../cluster/client/api-error.ts';
import type { Clock } from '../cluster/clock.ts';
import { applyPatch } from '../json/apply-patch.ts';
import type { Json } from '../json/json.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import type { ObjectRef } from '../sdk/reads.ts';
import type { RegistrationOptions } from './settings.ts';

export const EPOCH = Date.parse('2030-01-01T00:00:00Z');

/** Virtual time: it advances from one sleeper's end to the next. */
export class Simulation {
  #time = 0;
  #waiting: { readonly at: number; readonly wake: () => void }[] = [];

  get time(): number {
    return this.#time;
  }

  sleep(ms: number): Promise<void> {
    return new Promise((wake) => {
      this.#waiting.push({ at: this.#time + ms, wake });
    });
  }

  async run(until: number, afterEach: () => void = () => {}): Promise<void> {
    for (;;) {
      await new Promise(setImmediate);
      afterEach();
      const [soonest] = this.#waiting.toSorted((a, b) => a.at - b.at);
      if (soonest === undefined || soonest.at > until) break;
      this.#waiting = this.#waiting.filter((each) => each !== soonest);
      this.#time = soonest.at;
      soonest.wake();
    }
    this.#time = until;
  }

  /** A clock that is wrong by `skew`. */
  clock(skew = 0): Clock {
    return {
      now: () => new Date(EPOCH + this.#time + skew),
      uptime: () => this.#time,
      sleep: async (ms, signal) => {
        const interrupted = new Promise<void>((resolve) => {
          signal.onabort = () => resolve();
        });
        await Promise.race([this.sleep(ms), interrupted]);
      },
    };
  }
}

/** Objects with optimistic concurrency, as in the API server. Every call has a latency before and after its effect. */
export class FakeCluster {
  readonly objects = new Map<string, KubeObject>();
  /** Every write, with its time. */
  readonly history: { readonly at: number; readonly key: string; readonly object: KubeObject }[] = [];
  isDown = false;
  #version = 0;
  readonly #simulation: Simulation;
  readonly #latency: () => number;

  constructor(simulation: Simulation, latency: () => number) {
    this.#simulation = simulation;
    this.#latency = latency;
  }

  put(object: KubeObject): KubeObject {
    const key = `${object.kind}/${object.metadata.name}`;
    const stored = {
      ...object,
      metadata: { ...object.metadata, resourceVersion: String(++this.#version) },
    };
    this.objects.set(key, stored);
    this.history.push({ at: this.#simulation.time, key, object: stored });
    return stored;
  }

  /** The client of one replica. Once `isDead` returns true, its calls never return. */
  client(isDead: () => boolean = () => false): RegistrationOptions['client'] {
    const call = async <T>(effect: () => T): Promise<T> => {
      await this.#simulation.sleep(this.#latency());
      if (isDead()) return new Promise<T>(() => {});
      if (this.isDown) throw new ApiError('call', { status: 503, reason: 'ServiceUnavailable', message: '' });
      const result = attempt(effect);
      await this.#simulation.sleep(this.#latency());
      return isDead() ? new Promise<T>(() => {}) : result();
    };
    return {
      get: (target) => call(() => this.objects.get(storeKey(target))),
      // Reports nothing, so that changes are found by polling alone, which is the slowest case.
      async *watch() {
        await new Promise(() => {});
      },
      create: (_, object) =>
        call(() => {
          if (this.objects.has(`${object.kind}/${object.metadata.name}`)) throw refused('AlreadyExists');
          return this.put(object);
        }),
      update: (_, object) =>
        call(() => {
          const name = object.metadata.name ?? '';
          return this.#replace({ ref: builtin(object.kind), name }, object);
        }),
      patch: (target, patch) =>
        call(() => {
          const found = this.objects.get(storeKey(target));
          if (found === undefined) throw refused('NotFound');
          return this.#replace(target, applyPatch(asJson(found), patch) as Json as unknown as KubeObject);
        }),
    };
  }

  #replace(target: ObjectRef, object: KubeObject): KubeObject {
    const found = this.objects.get(storeKey(target));
    if (found === undefined) throw refused('NotFound');
    if (found.metadata.resourceVersion !== object.metadata.resourceVersion) throw refused('Conflict');
    return this.put(object);
  }
}

/** Runs now and returns or throws later. */
function attempt<T>(effect: () => T): () => T {
  try {
    const value = effect();
    return () => value;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

function storeKey({ ref, name }: ObjectRef): string {
  return `${ref.kind}/${name}`;
}

function refused(reason: string): ApiError {
  return new ApiError('write', { status: reason === 'NotFound' ? 404 : 409, reason, message: '' });
}

export function webhookConfiguration(kind: string, webhooks: number): KubeObject {
  const clientConfig = { service: { name: 'podgraft', namespace: 'podgraft' } };
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name: 'podgraft' },
    webhooks: Array.from({ length: webhooks }, (_, index) => ({
      name: `w${index}.podgraft.dev`,
      clientConfig,
    })),
  };
}
