import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { PageState, RequestItem } from '../src/page/view.ts';
import { type Address, readAddress, writeAddress } from './address.ts';
import { getRequests, getState, listen } from './api.ts';
import { Header } from './header.tsx';
import { Playground } from './playground.tsx';
import { Requests } from './requests.tsx';

/** Requests beyond it are forgotten, as the server forgets them. */
const MOST_REQUESTS = 500;

export function App() {
  const [state, setState] = useState<PageState>();
  const [requests, setRequests] = useState<readonly RequestItem[]>([]);
  const [isConnected, setConnected] = useState(true);
  const [failure, setFailure] = useState<string>();
  const [address, go] = useAddress();

  useEffect(() => {
    getState().then(setState, (error: Error) => setFailure(error.message));
    const add = (item: RequestItem) =>
      setRequests((items) => [item, ...items.filter(({ uid }) => uid !== item.uid)].slice(0, MOST_REQUESTS));
    // Again after a lost connection: the server may have been restarted. The status shows a failure.
    const refresh = () =>
      getRequests().then(
        (listed) => setRequests((items) => withLater(items, listed)),
        () => {},
      );
    refresh();
    return listen({ request: add, state: setState }, (isNowConnected) => {
      setConnected(isNowConnected);
      if (isNowConnected) refresh();
    });
  }, []);

  if (failure !== undefined) return <p class="failure">Cannot read from the server: {failure}</p>;
  if (state === undefined || address === undefined) return null;
  const tab = state.mode === 'requests' ? 'requests' : address.tab;
  return (
    <>
      <Header state={state} tab={tab} requests={requests.length} isConnected={isConnected} go={go} />
      <main>
        {tab === 'requests' ? (
          <Requests state={state} items={requests} address={address} go={go} />
        ) : (
          <Playground state={state} address={address} go={go} />
        )}
      </main>
    </>
  );
}

/** The server's list, preceded by requests that arrived while it was loading. */
function withLater(items: readonly RequestItem[], listed: readonly RequestItem[]): readonly RequestItem[] {
  const newest = listed[0]?.time ?? '';
  const uids = new Set(listed.map(({ uid }) => uid));
  return [...items.filter(({ uid, time }) => time > newest && !uids.has(uid)), ...listed];
}

/** Changes the address. Only a change of what the reader looks at makes a new entry in the history. */
export type Go = (change: Partial<Address>, entry?: 'push' | 'replace') => void;

function useAddress(): [Address | undefined, Go] {
  const [address, setAddress] = useState<Address>();
  const latest = useRef<Address>({ tab: 'playground' });
  const show = useCallback((next: Address) => {
    latest.current = next;
    setAddress(next);
  }, []);
  useEffect(() => {
    const read = () => readAddress(location.hash).then(show);
    read();
    addEventListener('popstate', read);
    return () => removeEventListener('popstate', read);
  }, [show]);
  const go = useCallback<Go>(
    (change, entry = 'replace') => {
      const next = { ...latest.current, ...change };
      show(next);
      if (entry === 'push') history.pushState(null, '', location.hash);
      writeAddress(next).then((hash) => {
        if (latest.current === next) history.replaceState(null, '', hash);
      });
    },
    [show],
  );
  return [address, go];
}
