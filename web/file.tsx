import { render } from 'preact';
import { useState } from 'preact/hooks';
import type { RunView } from '../src/page/view.ts';
import { element } from './element.ts';
import { Brand } from './header.tsx';
import { RunDetails } from './run-details.tsx';
import { RunTabs } from './run-tabs.tsx';

/** The page of `podgraft explain -o html`: the runs are in the file itself. */
function File({ runs, version }: { readonly runs: readonly RunView[]; readonly version: string }) {
  const [shown, show] = useState(0);
  const [stop, open] = useState<string>();
  const run = runs[shown];
  return (
    <>
      <header class="header">
        <Brand />
        <h1 class="title">explain</h1>
        <div class="header-end">
          <span class="version">{version}</span>
        </div>
      </header>
      <main>
        <RunTabs runs={runs} shown={shown} show={show} />
        {run === undefined ? (
          <p class="empty">Nothing was injected.</p>
        ) : (
          <RunDetails key={shown} run={run} stop={stop} open={open} />
        )}
      </main>
    </>
  );
}

const { runs, version } = JSON.parse(element('data').textContent ?? '');
render(<File runs={runs} version={version} />, element('page'));
