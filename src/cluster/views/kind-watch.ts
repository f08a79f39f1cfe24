import type { KubeObject } from '../../kube/kube-object.ts';
import type { ResourceRef } from '../../kube/resource.ts';
import type { ReadRef } from '../../sdk/reads.ts';
import { kindKey, type Scope, scopedReads } from '../../sdk/reads.ts';
import { isRefusal } from '../client/api-error.ts';
import type { KubeClient, Restriction } from '../client/client.ts';
import type { WatchEvent } from '../client/watch-events.ts';
import type { Clock } from '../clock.ts';
import { KindStore } from './kind-store.ts';
import { type Trim, trimFor } from './trim.ts';

export interface KindWatchOptions {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: ViewLog;
}

/** The part of a logger that is needed here; pino's fits. */
export interface ViewLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

const PAGE_SIZE = 500;
const LIST_TIMEOUT_MS = 60_000;
/** The server ends a watch after this time, or up to twice as much: reconnecting spreads the load over new API servers. */
const WATCH_SECONDS = 300;
/** Bookmarks arrive about once a minute: after two missing ones the connection is considered dead. */
const SILENCE_MS = 150_000;
/** A watch that lasted this long worked. One that ends sooner is repeated after a growing delay. */
const STEADY_MS = 1_000;
const FIRST_DELAY_MS = 200;
const LONGEST_DELAY_MS = 10_000;
/** A kind that the cluster lacks may be installed later. */
const NOT_INSTALLED_MS = 30_000;

/** The fewest watches that cover all reads: one for a kind that is read everywhere, else one for each scope. */
export function kindWatches(reads: readonly ReadRef[], options: KindWatchOptions): readonly KindWatch[] {
  return scopedReads(reads).map(({ ref, scope }) => {
    // Scopes may overlap: with all reads of the kind an object is trimmed alike in each of them.
    const ofKind = reads.filter((read) => kindKey(read) === kindKey(ref));
    return new KindWatch(ref, scope, trimFor(ref, ofKind), options);
  });
}

/** Keeps a store in step with the objects of one kind in one scope. */
export class KindWatch {
  readonly store = new KindStore();
  readonly ref: ResourceRef;
  readonly scope: Scope;
  readonly trim: Trim;
  state: 'listing' | 'synced' | 'not installed' = 'listing';
  /** Uptime at the last sign of life. */
  aliveAt: number | undefined;
  /** Why the last attempt failed; undefined while the watch works. */
  error: string | undefined;
  readonly #options: KindWatchOptions;

  constructor(ref: ResourceRef, scope: Scope, trim: Trim, options: KindWatchOptions) {
    this.ref = ref;
    this.scope = scope;
    this.trim = trim;
    this.#options = options;
  }

  /** `ServiceAccount`, `Instrumentation.opentelemetry.io`. */
  get kind(): string {
    return this.ref.group === '' ? this.ref.kind : kindKey(this.ref);
  }

  /** `namespace/name`, each of which may be `*`; empty if all objects of the kind are watched. */
  get within(): string {
    const { namespace, name } = this.scope;
    if (namespace === undefined && name === undefined) return '';
    return this.ref.namespaced ? `${namespace ?? '*'}/${name ?? '*'}` : (name ?? '');
  }

  /** Lists once, then watches from the list's resourceVersion on, until the signal fires. Never rejects. */
  async follow(signal: AbortSignal): Promise<void> {
    const { clock, random } = this.#options;
    let resourceVersion: string | undefined;
    let failures = 0;
    let longestDelay = FIRST_DELAY_MS;
    /** Doubles with each attempt. Half of it is random, so that replicas do not reconnect at the same moment. */
    const nextDelay = () => {
      const delay = (longestDelay / 2) * (1 + random());
      longestDelay = Math.min(2 * longestDelay, LONGEST_DELAY_MS);
      return delay;
    };

    while (!signal.aborted) {
      let startedAt = clock.uptime();
      const isSteady = () => clock.uptime() - startedAt >= STEADY_MS;
      try {
        resourceVersion ??= await this.#list(signal);
        startedAt = clock.uptime();
        const onOpen = () => {
          failures = 0;
          this.#onAlive();
        };
        for await (const event of this.#watch(resourceVersion, onOpen, signal)) {
          resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
          this.#apply(event, resourceVersion);
        }
        // The server has ended the watch, as it does from time to time.
        if (isSteady()) longestDelay = FIRST_DELAY_MS;
        else await clock.sleep(nextDelay(), signal);
      } catch (error) {
        if (signal.aborted) return;
        const refusal = isRefusal(error) ? error : undefined;
        if (refusal?.status === 404) {
          this.#onNotInstalled();
          resourceVersion = undefined;
          await clock.sleep(NOT_INSTALLED_MS * (1 + random() / 2), signal);
          continue;
        }
        failures++;
        if (resourceVersion === undefined || !isRoutine(refusal?.status, failures)) this.#onLost(error);
        if (isHistoryGone(refusal?.status)) resourceVersion = undefined;
        if (isSteady()) longestDelay = FIRST_DELAY_MS;
        await clock.sleep(Math.max(nextDelay(), refusal?.retryAfterMs ?? 0), signal);
      }
    }
  }

  async #list(signal: AbortSignal): Promise<string> {
    const { clock, log } = this.#options;
    const startedAt = clock.uptime();
    const { objects, resourceVersion } = await this.#pages(signal, PAGE_SIZE).catch((error: unknown) => {
      // The continue token has expired between two pages: without a limit there is only one.
      if (isRefusal(error) && error.status === 410) return this.#pages(signal);
      throw error;
    });
    this.aliveAt = clock.uptime();
    this.store.replace(objects, resourceVersion, this.aliveAt);
    this.state = 'synced';
    const milliseconds = Math.round(this.aliveAt - startedAt);
    log.info({ ...this.#logFields, objects: this.store.size, milliseconds }, 'kind listed');
    return resourceVersion;
  }

  async #pages(signal: AbortSignal, limit?: number) {
    const objects: KubeObject[] = [];
    let next: string | undefined;
    for (;;) {
      const paging = { ...(limit !== undefined && { limit }), ...(next !== undefined && { continue: next }) };
      const options = { ...this.#restriction, ...paging, timeoutMs: LIST_TIMEOUT_MS, signal };
      const page = await this.#options.client.list(this.ref, options);
      for (const item of page.items) objects.push(this.trim(item));
      next = page.continue;
      if (next === undefined) return { objects, resourceVersion: page.resourceVersion };
    }
  }

  #watch(resourceVersion: string, onOpen: () => void, signal: AbortSignal): AsyncIterable<WatchEvent> {
    const { client, random } = this.#options;
    const timeoutSeconds = Math.round(WATCH_SECONDS * (1 + random()));
    const options = { resourceVersion, timeoutSeconds, idleMs: SILENCE_MS, signal, onOpen };
    return client.watch(this.ref, { ...this.#restriction, ...options });
  }

  /** A role that is limited to resource names allows lists and watches only with this field selector. */
  get #restriction(): Restriction {
    const { namespace, name } = this.scope;
    return {
      ...(namespace !== undefined && { namespace }),
      ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
    };
  }

  #apply({ type, object }: WatchEvent, resourceVersion: string): void {
    if (type === 'DELETED') this.store.remove(object);
    else if (type !== 'BOOKMARK') this.store.put(this.trim(object));
    this.store.advance(resourceVersion, this.#options.clock.uptime());
    this.#onAlive();
  }

  // One log line when something changes, not one for each attempt.

  #onAlive(): void {
    this.aliveAt = this.#options.clock.uptime();
    if (this.error !== undefined) this.#options.log.info(this.#logFields, 'watch resumed');
    this.error = undefined;
  }

  #onLost(cause: unknown): void {
    const error = messageOf(cause);
    if (this.error === undefined) this.#options.log.warn({ ...this.#logFields, error }, 'watch lost');
    this.error = error;
  }

  #onNotInstalled(): void {
    if (this.state !== 'not installed') {
      this.#options.log.warn(this.#logFields, 'kind not installed in the cluster');
    }
    this.state = 'not installed';
  }

  get #logFields(): object {
    return { kind: this.kind, ...(this.within !== '' && { within: this.within }) };
  }
}

/**
 * Refusals that lose nothing: 410, by which a server makes clients list again once it has dropped old versions; and a single 429,
 * since a server lists a kind before its watch cache is filled (KEP-4568), for example right after the kind was installed.
 */
function isRoutine(status: number | undefined, failures: number): boolean {
  return status === 410 || (status === 429 && failures === 1);
}

/**
 * Whether to list again: the server has dropped the resourceVersion (410), does not know it yet (504, after its database was
 * restored), or rejects it. Refusals because of credentials or load are unrelated to the version.
 */
function isHistoryGone(status = 0): boolean {
  return status === 504 || (status >= 400 && status < 500 && ![401, 403, 429].includes(status));
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
