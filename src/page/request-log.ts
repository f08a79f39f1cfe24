import type { RequestItem, RunView } from './view.ts';

/** A decision that the page can show later. */
export interface LoggedRequest {
  readonly item: RequestItem;
  /** Its approximate memory. */
  readonly bytes: number;
  /** Computed on demand. */
  readonly view: () => RunView | Promise<RunView>;
}

export interface RequestLog {
  add(request: LoggedRequest): void;
  /** Newest first. */
  list(): readonly RequestItem[];
  find(uid: string): RunView | Promise<RunView> | undefined;
  /** Calls back for every request from now on; returns a function that ends it. */
  follow(onRequest: (item: RequestItem) => void): () => void;
}

export interface RequestLogLimits {
  readonly requests: number;
  readonly bytes: number;
}

/** Keeps the last decisions in bounded memory: the oldest are dropped. */
export function createRequestLog(limits: RequestLogLimits): RequestLog {
  const kept: LoggedRequest[] = [];
  const followers = new Set<(item: RequestItem) => void>();
  let bytes = 0;
  return {
    add(request) {
      kept.push(request);
      bytes += request.bytes;
      while (kept.length > limits.requests || (bytes > limits.bytes && kept.length > 1)) {
        bytes -= kept.shift()?.bytes ?? 0;
      }
      for (const follower of followers) follower(request.item);
    },
    list: () => kept.map(({ item }) => item).toReversed(),
    // The API server calls a webhook again with the same uid in its second round: the last one counts.
    find: (uid) => kept.findLast(({ item }) => item.uid === uid)?.view(),
    follow(onRequest) {
      followers.add(onRequest);
      return () => followers.delete(onRequest);
    },
  };
}

/** The line of the list for a run. */
export function requestItem({ request, verdict, injectors }: RunView): RequestItem {
  const active = injectors.filter(({ outcome }) => ['changed', 'denied', 'failed'].includes(outcome));
  return { ...request, verdict, injectors: active.map(({ name }) => name) };
}
