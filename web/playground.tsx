import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PageState } from '../src/page/view.ts';
import type { Address } from './address.ts';
import type { Go } from './app.tsx';
import { Banners } from './banners.tsx';
import { Editor } from './editor.tsx';
import { EditorBar } from './editor-bar.tsx';
import { InjectorList } from './injector-list.tsx';
import { ownersOf } from './owners.ts';
import { RequestPath } from './request-path.tsx';
import { Result } from './result.tsx';
import { RunTabs } from './run-tabs.tsx';
import { useRun } from './use-run.ts';

interface Props {
  readonly state: PageState;
  readonly address: Address;
  readonly go: Go;
}

/** An object goes in on the left, through the injectors, and comes out on the right. */
export function Playground({ state, address, go }: Props) {
  const text = address.yaml ?? sampleOf(state, address.sample)?.yaml ?? '';
  const { runs, errors, failure, isSameInAnyOrder } = useRun(text, address, state.configuration);
  const [emphasis, setEmphasis] = useState<string>();
  const owners = useMemo(() => ownersOf(state.configuration, runs), [state.configuration, runs]);
  useEffect(() => {
    document.title = 'Podgraft playground';
  }, []);

  const edit = (yaml: string) => {
    const sample = state.samples.find((candidate) => candidate.yaml === yaml);
    go({ yaml: sample === undefined ? yaml : undefined, sample: sample?.title, stop: undefined });
  };
  const shown = Math.min(address.document ?? 0, Math.max(runs.length - 1, 0));
  const run = runs[shown];
  return (
    <div class="playground">
      <h1 class="visually-hidden">Playground</h1>
      {state.configuration?.error !== undefined && (
        <section class="banner is-failed" role="alert">
          <h2>The configuration is broken; the last good one is in use</h2>
          <pre>{state.configuration.error}</pre>
        </section>
      )}
      {run !== undefined && (
        <RequestPath
          run={run}
          stop={address.stop}
          open={(stop) => go({ stop })}
          isStale={errors.length > 0}
        />
      )}
      {failure !== undefined && (
        <section class="banner is-failed" role="alert">
          <h2>The server could not run this</h2>
          <pre>{failure}</pre>
        </section>
      )}
      {run !== undefined && errors.length === 0 && <Banners run={run} />}
      <div class="columns">
        <section class="panel" aria-label="Object">
          <EditorBar
            samples={state.samples}
            chosen={address.yaml === undefined ? sampleOf(state, address.sample)?.title : undefined}
            operation={address.operation}
            edit={edit}
            setOperation={(operation) => go({ operation })}
          />
          <Editor text={text} errors={errors} edit={edit} />
          {errors.length > 0 && (
            <ul class="errors" role="alert">
              {errors.map(({ line, message }) => (
                <li key={`${line} ${message}`}>
                  <b>Line {line}</b> {message}
                </li>
              ))}
            </ul>
          )}
        </section>
        {state.configuration !== undefined && (
          <InjectorList
            configuration={state.configuration}
            run={run}
            owners={owners}
            off={address.off ?? []}
            order={address.order}
            isSameInAnyOrder={isSameInAnyOrder}
            go={go}
            emphasize={setEmphasis}
          />
        )}
        <section class={`panel ${errors.length > 0 ? 'is-stale' : ''}`} aria-label="Result">
          <RunTabs runs={runs} shown={shown} show={(document) => go({ document, stop: undefined })} />
          {run === undefined ? (
            <p class="empty">The result appears here.</p>
          ) : (
            <Result run={run} owners={owners} emphasis={emphasis} />
          )}
        </section>
      </div>
    </div>
  );
}

/** The sample of the address, else the first one of a configured injector. */
function sampleOf({ samples, configuration }: PageState, title: string | undefined) {
  const uses = configuration?.injectors.map(({ use }) => use) ?? [];
  const isFitting = ({ injector }: PageState['samples'][number]) => uses.includes(injector);
  return samples.find((sample) => sample.title === title) ?? samples.find(isFitting) ?? samples[0];
}
