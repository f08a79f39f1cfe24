import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PageState, RequestItem } from '../src/page/view.ts';
import type { Address } from './address.ts';
import type { Go } from './app.tsx';
import { duration } from './duration.ts';
import { ownersOf } from './owners.ts';
import { RequestDetails } from './request-details.tsx';
import { RequestFilters } from './request-filters.tsx';
import { Verdict } from './run-tabs.tsx';

interface Props {
  readonly state: PageState;
  readonly items: readonly RequestItem[];
  readonly address: Address;
  readonly go: Go;
}

/** The server's last decisions, as they are made. */
export function Requests({ state, items, address, go }: Props) {
  const { namespace, injector, verdict, uid } = address;
  const shown = items.filter(
    (item) =>
      (namespace === undefined || item.namespace === namespace) &&
      (injector === undefined || item.injectors.includes(injector)) &&
      (verdict === undefined || item.verdict === verdict),
  );
  const owners = useMemo(() => ownersOf(state.configuration, []), [state.configuration]);
  useEffect(() => {
    document.title = 'Podgraft requests';
  }, []);
  return (
    <div class={`requests ${uid === undefined ? '' : 'has-details'}`}>
      <section class="panel list" aria-label="Requests">
        <RequestFilters items={items} address={address} go={go} shown={shown.length} />
        {shown.length === 0 ? (
          <p class="empty">
            {items.length === 0 ? 'No requests yet. They appear here as they arrive.' : 'No request matches.'}
          </p>
        ) : (
          <ul>
            {shown.map((item) => (
              <li key={item.uid}>
                <button
                  type="button"
                  class="request"
                  aria-pressed={item.uid === uid}
                  onClick={() => go({ uid: item.uid, stop: undefined }, 'push')}
                >
                  <Verdict verdict={item.verdict} />
                  <span class="object">
                    <b>{item.name}</b>{' '}
                    <span class="muted">
                      {item.operation} {item.kind}
                      {item.namespace !== '' && ` in ${item.namespace}`}
                      {item.dryRun && ', dry run'}
                    </span>
                  </span>
                  <span class="who">
                    {item.injectors.map((name) => (
                      <span key={name} class={`chip ${owners(name)}`}>
                        {name}
                      </span>
                    ))}
                  </span>
                  <Time iso={item.time} milliseconds={item.milliseconds} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
      {uid !== undefined && <RequestDetails key={uid} uid={uid} state={state} address={address} go={go} />}
    </div>
  );
}

function Time({ iso, milliseconds }: { readonly iso: string; readonly milliseconds: number }) {
  const [time] = useState(() => new Date(iso).toLocaleTimeString());
  return (
    <span class="when">
      <time dateTime={iso}>{time}</time> <span class="muted">{duration(milliseconds)}</span>
    </span>
  );
}
