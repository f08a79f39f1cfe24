import { useMemo } from 'preact/hooks';
import type { ConfigurationView, RunView } from '../src/page/view.ts';
import { Banners } from './banners.tsx';
import { ownersOf } from './owners.ts';
import { RequestPath } from './request-path.tsx';
import { Result } from './result.tsx';

interface Props {
  readonly run: RunView;
  readonly configuration?: ConfigurationView | undefined;
  readonly stop: string | undefined;
  readonly open: (stop: string | undefined) => void;
}

/** A run without an editor: one that was recorded. */
export function RunDetails({ run, configuration, stop, open }: Props) {
  const owners = useMemo(() => ownersOf(configuration, [run]), [configuration, run]);
  return (
    <div class="run-details">
      <RequestPath run={run} stop={stop} open={open} />
      <Banners run={run} />
      <section class="panel" aria-label="Result">
        <Result run={run} owners={owners} />
      </section>
      {run.injectors.length > 0 && (
        <section class="panel" aria-label="Injectors">
          <div class="bar">
            <h2>Injectors</h2>
          </div>
          <ul class="outcomes">
            {run.injectors.map(({ name, use, outcome, reason }) => (
              <li key={name} class={owners(name)}>
                <span class="owner-name">{name}</span> <span class="use">{use}</span>
                <span class="did">
                  {outcome}
                  {reason !== '' && `: ${reason}`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
