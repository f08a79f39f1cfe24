import type { KubeObject } from '../../kube/kube-object.ts';
import type { ResourceRef } from '../../kube/resource.ts';
import type { Scope } from '../../kube/scope.ts';
import { type ApiError, isRefusal } from '../client/api-error.ts';
import type { KubeClient, Selection, WatchEvent } from '../client/client.ts';
import { createBackOff } from './back-off.ts';
import type { Clock } from './clock.ts';
import type { KindStore } from './kind-store.ts';
import type { Trim } from './trim.ts';

export interface FollowOptions {
  readonly client: Pick<KubeClient, 'list' | 'watch'>;
  readonly ref: ResourceRef;
  readonly scope: Scope;
  readonly store: KindStore;
  readonly trim: Trim;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly report: (news: News) => void;
}

/** What happens to one kind; `lost` comes once for each failed attempt. */
export type News =
  | { readonly type: 'listed'; readonly milliseconds: number }
  | { readonly type: 'alive' }
  | { readonly type: 'not installed' }
  | { readonly type: 'lost'; readonly error: unknown };

const PAGE = 500;
const LIST_TIMEOUT_MS = 60_000;
/** The server ends a watch by itself after this long, and up to twice as long: then its load spreads over new servers. */
const WATCH_SECONDS = 300;
/** Bookmarks come about once a minute: when two have failed to come, nobody is there any more. */
const SILENCE_MS = 150_000;
/** A watch that lasted so long was a good one; what ends sooner is repeated with growing pauses. */
const STEADY_MS = 1_000;
/** For a kind that the cluster does not have: somebody may install it. */
const NOT_INSTALLED_MS = 30_000;

/** Keeps a store like the cluster, by one list and then watches from its resourceVersion on, until the signal fires. */
export async function followKind(options: FollowOptions): Promise<void> {
  const { clock, random, signal, report } = options;
  const backOff = createBackOff(random);
  let resourceVersion: string | undefined;
  /** Since the watch was last open. */
  let failures = 0;

  while (!signal.aborted) {
    let startedAt = clock.now();
    try {
      resourceVersion ??= await list(options);
      startedAt = clock.now();
      const onOpen = () => {
        failures = 0;
        report({ type: 'alive' });
      };
      for await (const event of watch(options, resourceVersion, onOpen)) {
        resourceVersion = event.object.metadata.resourceVersion ?? resourceVersion;
        apply(event, options);
        options.store.reached(resourceVersion, clock.now());
        report({ type: 'alive' });
      }
      // The usual end: the server's time for one watch was over.
      if (clock.now() - startedAt >= STEADY_MS) backOff.reset();
      else await clock.sleep(backOff.next(), signal);
    } catch (error) {
      if (signal.aborted) return;
      if (isRefusal(error) && error.status === 404) {
        report({ type: 'not installed' });
        resourceVersion = undefined;
        await clock.sleep(NOT_INSTALLED_MS * (1 + random() / 2), signal);
        continue;
      }
      failures++;
      const refusal = isRefusal(error) ? error : undefined;
      if (resourceVersion === undefined || !isUsual(refusal, failures)) report({ type: 'lost', error });
      if (isHistoryGone(error)) resourceVersion = undefined;
      if (clock.now() - startedAt >= STEADY_MS) backOff.reset();
      await clock.sleep(Math.max(backOff.next(), refusal?.retryAfterMs ?? 0), signal);
    }
  }
}

/** All pages of one list. Their continue token may expire on the way: then it is one long answer. */
async function list(options: FollowOptions): Promise<string> {
  const { client, ref, scope, store, trim, clock, signal, report } = options;
  const startedAt = clock.now();
  const read = async (limit?: number) => {
    const objects: KubeObject[] = [];
    let next: string | undefined;
    for (;;) {
      const page = await client.list(ref, {
        ...selectionOf(scope),
        timeoutMs: LIST_TIMEOUT_MS,
        signal,
        ...(limit !== undefined && { limit }),
        ...(next !== undefined && { continue: next }),
      });
      for (const item of page.items) objects.push(trim(item));
      next = page.continue;
      if (next === undefined) return { objects, resourceVersion: page.resourceVersion };
    }
  };
  const { objects, resourceVersion } = await read(PAGE).catch((error: unknown) => {
    if (isRefusal(error) && error.status === 410) return read();
    throw error;
  });
  store.replace(objects, resourceVersion, clock.now());
  report({ type: 'listed', milliseconds: clock.now() - startedAt });
  return resourceVersion;
}

function watch(
  { client, ref, scope, random, signal }: FollowOptions,
  resourceVersion: string,
  onOpen: () => void,
): AsyncIterable<WatchEvent> {
  return client.watch(ref, {
    ...selectionOf(scope),
    resourceVersion,
    timeoutSeconds: Math.round(WATCH_SECONDS * (1 + random())),
    idleMs: SILENCE_MS,
    signal,
    onOpen,
  });
}

/** A role that is limited to names allows lists and watches only with this selector. */
function selectionOf({ namespace, name }: Scope): Selection {
  return {
    ...(namespace !== undefined && { namespace }),
    ...(name !== undefined && { fieldSelector: `metadata.name=${name}` }),
  };
}

function apply({ type, object }: WatchEvent, { store, trim }: FollowOptions): void {
  if (type === 'DELETED') store.remove(object);
  else if (type !== 'BOOKMARK') store.put(trim(object));
}

/**
 * What a watch may be told without anything being lost: to list anew, since that is how a server forgets old versions; and once
 * to come back in a moment, since a server lists a kind before its cache for watches is filled (KEP-4568), for example one
 * that has just been installed.
 */
function isUsual(refusal: ApiError | undefined, failures: number): boolean {
  return refusal?.status === 410 || (refusal?.status === 429 && failures === 1);
}

/**
 * Whether to list anew: the server has forgotten our resourceVersion (410), does not know it yet (504, after a restore of its
 * database), or does not accept it. What has to do with us or with its load says nothing about it.
 */
function isHistoryGone(error: unknown): boolean {
  if (!isRefusal(error)) return false;
  const { status } = error;
  return status === 504 || (status >= 400 && status < 500 && ![401, 403, 429].includes(status));
}
