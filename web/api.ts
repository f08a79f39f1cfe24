import type { PageEvents, PageState, RequestItem, RunAnswer, RunRequest, RunView } from '../src/page/view.ts';

export function getState(): Promise<PageState> {
  return getJson('api/state');
}

export function getRequests(): Promise<readonly RequestItem[]> {
  return getJson('api/requests');
}

export function getRequest(uid: string): Promise<RunView> {
  return getJson(`api/requests/${encodeURIComponent(uid)}`);
}

export function run(request: RunRequest, signal?: AbortSignal): Promise<RunAnswer> {
  return getJson('api/run', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
    ...(signal && { signal }),
  });
}

type Listeners = { readonly [Name in keyof PageEvents]: (data: PageEvents[Name]) => void };

/** Calls the listeners until it is closed. The browser reconnects on its own; `connected` reports its state. */
export function listen(listeners: Listeners, connected: (isConnected: boolean) => void): () => void {
  const source = new EventSource('api/events');
  source.addEventListener('open', () => connected(true));
  source.addEventListener('error', () => connected(false));
  source.addEventListener('request', ({ data }) => listeners.request(JSON.parse(data)));
  source.addEventListener('state', ({ data }) => listeners.state(JSON.parse(data)));
  return () => source.close();
}

/** The answers have the types of view.ts: the page and its server are built together. */
async function getJson<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init);
  if (!response.ok) throw new Error((await response.text()) || `${path}: ${response.status}`);
  return response.json();
}
