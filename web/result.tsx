import { useMemo, useState } from 'preact/hooks';
import type { ChangeView, RunView } from '../src/page/view.ts';
import { ChangeCard } from './change-card.tsx';
import { duration } from './duration.ts';
import { Kept } from './kept.tsx';
import type { Owners } from './owners.ts';
import { Removed } from './removed.tsx';
import { foldTitle, foldUnchanged, type ResultLine, resultLines } from './result-lines.ts';
import { Verdict } from './run-tabs.tsx';
import { shortValue } from './short-value.ts';
import { YamlLine } from './yaml-line.tsx';

interface Props {
  readonly run: RunView;
  readonly owners: Owners;
  /** The owner whose changes stand out. */
  readonly emphasis?: string | undefined;
}

/** A change under the pointer, and the place below it. */
interface Pointed {
  readonly change: ChangeView;
  readonly top: number;
}

/** The object as it would be stored; every change has the colour and the name of its owner. */
export function Result({ run, owners, emphasis }: Props) {
  const [isFolded, setFolded] = useState(true);
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const [pointed, setPointed] = useState<Pointed>();
  const lines = useMemo(() => resultLines(run.after, run.changes), [run]);
  const sections =
    isFolded && run.changes.length > 0 ? foldUnchanged(lines) : [{ type: 'lines', lines } as const];

  const isEmphasized = run.changes.some(({ owner }) => owner === emphasis);

  const point = (change: ChangeView | undefined, target: EventTarget | null) => {
    const line = target instanceof Element ? target.closest<HTMLElement>('.line') : null;
    setPointed(change && line ? { change, top: line.offsetTop + line.offsetHeight } : undefined);
  };
  const draw = (line: ResultLine) => (
    // biome-ignore lint/a11y/noStaticElementInteractions: the label, a button, does the same for the keyboard.
    <div
      key={line.number}
      class={lineClass(line, owners, isEmphasized ? emphasis : undefined, pointed)}
      onMouseEnter={(event) => point(line.change, event.currentTarget)}
    >
      <span class="number" aria-hidden="true">
        {line.number}
      </span>
      <span class="sign" aria-hidden="true">
        {line.change === undefined ? '' : line.change.type === 'replaced' ? '~' : '+'}
      </span>
      <YamlLine text={line.text} />
      {line.starts && line.change !== undefined && (
        <button
          type="button"
          class="tag"
          aria-describedby={pointed?.change === line.change ? 'change-card' : undefined}
          onFocus={(event) => point(line.change, event.currentTarget)}
          onBlur={() => setPointed(undefined)}
          onClick={(event) => point(line.change, event.currentTarget)}
          onKeyDown={(event) => event.key === 'Escape' && setPointed(undefined)}
        >
          {line.change.type === 'replaced' && line.change.before !== undefined && (
            <s>{shortValue(line.change.before)}</s>
          )}
          {line.change.owner}
        </button>
      )}
    </div>
  );
  return (
    <>
      <div class="bar">
        <h2>
          {run.request.kind} <b>{run.request.name}</b>
        </h2>
        <Verdict verdict={run.verdict} />
        <span class="muted">{summary(run)}</span>
        {run.changes.length > 0 && (
          <label class="fold-all">
            <input
              type="checkbox"
              checked={isFolded}
              onChange={() => {
                setFolded(!isFolded);
                setOpened(new Set());
              }}
            />
            fold unchanged
          </label>
        )}
      </div>
      {run.denial === undefined && run.changes.every(({ isPlugin }) => isPlugin) && (
        <p class="nothing">No injector changed anything.</p>
      )}
      <section class="yaml" aria-label="Result as YAML" onMouseLeave={() => setPointed(undefined)}>
        {sections.map(({ type, lines: own }) => {
          const first = own[0]?.number ?? 0;
          if (type === 'lines' || opened.has(first)) return own.map(draw);
          return (
            <button
              key={`fold ${first}`}
              type="button"
              class="fold"
              onClick={() => setOpened(new Set([...opened, first]))}
            >
              ⋯ {foldTitle(own)}
            </button>
          );
        })}
        {pointed !== undefined && <ChangeCard change={pointed.change} top={pointed.top} owners={owners} />}
      </section>
      <Removed changes={run.changes} owners={owners} />
      <Kept kept={run.kept} owners={owners} />
    </>
  );
}

function lineClass(
  { change }: ResultLine,
  owners: Owners,
  emphasis: string | undefined,
  pointed: Pointed | undefined,
): string {
  const dimmed = emphasis !== undefined && change?.owner !== emphasis ? 'is-dim' : '';
  if (change === undefined) return `line ${dimmed}`;
  return `line ${owners(change.owner)} ${dimmed} ${pointed?.change === change ? 'is-pointed' : ''}`;
}

function summary({ changes, kept, verdict, request }: RunView): string {
  const parts = [];
  // After a failure the webhook's failurePolicy decides.
  if (verdict === 'denied') parts.push('not stored');
  const byServer = changes.filter(({ isPlugin }) => isPlugin).length;
  const others = changes.length - byServer;
  if (others > 0) parts.push(`${others} ${others === 1 ? 'change' : 'changes'}`);
  if (byServer > 0) parts.push(`${byServer} by the API server`);
  if (kept.length > 0) parts.push(`${kept.length} kept`);
  if (request.milliseconds > 0) parts.push(duration(request.milliseconds));
  return parts.join(' · ');
}
