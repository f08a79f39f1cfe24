import { useMemo } from 'preact/hooks';
import type { RunView, StopView } from '../src/page/view.ts';
import { duration } from './duration.ts';
import { StopDetails } from './stop-details.tsx';

interface Props {
  readonly run: RunView;
  readonly stop: string | undefined;
  readonly open: (stop: string | undefined) => void;
  /** The text has changed since, and cannot be run. */
  readonly isStale?: boolean;
}

/** The path of the request through the API server: a lane per phase and round, a button per stop. */
export function RequestPath({ run, stop, open, isStale = false }: Props) {
  const lanes = useMemo(() => lanesOf(run.stops), [run.stops]);
  const plugins = new Set(run.changes.flatMap(({ owner, isPlugin }) => (isPlugin ? [owner] : [])));
  const opened = run.stops.find(({ id }) => id === stop);
  return (
    <section class={`request-path ${isStale ? 'is-stale' : ''}`} aria-label="Request path">
      <ol class="lanes">
        {lanes.map((lane) => (
          <li key={lane.title} class={`lane ${lane.isReached ? '' : 'is-unreached'}`}>
            <h2>{lane.title}</h2>
            <ol class="stops">
              {lane.stops.map((each) => (
                <li
                  key={each.id}
                  class={`stop is-${each.outcome.replace(' ', '-')} ${isQuiet(each, plugins) ? 'is-quiet' : ''}`}
                >
                  <button
                    type="button"
                    class="stop-button"
                    aria-expanded={each === opened}
                    title={`${each.title}: ${each.detail}`}
                    onClick={() => open(each === opened ? undefined : each.id)}
                  >
                    <span class="marker" aria-hidden="true">
                      {MARKERS[each.outcome]}
                    </span>
                    <span class="stop-title">{breakable(each.title)}</span>
                    <span class="stop-outcome">
                      {each.outcome}
                      {each.milliseconds > 0 && ` · ${duration(each.milliseconds)}`}
                    </span>
                  </button>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ol>
      {opened !== undefined && <StopDetails key={opened.id} stop={opened} close={() => open(undefined)} />}
    </section>
  );
}

/** A stop that had nothing to do, or that does the same to every Pod: a dot, whose name is only in its tooltip. */
function isQuiet({ title, phase, outcome, review }: StopView, plugins: ReadonlySet<string>): boolean {
  if (plugins.has(title) && outcome === 'changed') return true;
  if (phase !== 'mutating' && phase !== 'validating') return false;
  return outcome === 'skipped' || outcome === 'not reached' || (outcome === 'passed' && review === undefined);
}

/** Long names such as `DefaultTolerationSeconds` and `pods.podgraft.dev` may break between their words. */
function breakable(title: string) {
  return title
    .split(/(?<=[a-z])(?=[A-Z])|(?<=[./])/)
    .flatMap((word, index) => (index === 0 ? [word] : [<wbr />, word]));
}

const MARKERS: { readonly [Outcome in StopView['outcome']]: string } = {
  passed: '✓',
  changed: '+',
  skipped: '–',
  denied: '✕',
  failed: '!',
  'not reached': '',
};

const TITLES: { readonly [Phase in StopView['phase']]: string } = {
  before: 'Request',
  mutating: 'Mutating',
  schema: 'Schema',
  validating: 'Validating',
  stored: 'Storage',
};

interface Lane {
  readonly title: string;
  readonly isReached: boolean;
  readonly stops: readonly StopView[];
}

function lanesOf(stops: readonly StopView[]): readonly Lane[] {
  const lanes = new Map<string, StopView[]>();
  for (const stop of stops) {
    const title = stop.phase === 'mutating' ? `Mutating, round ${stop.round + 1}` : TITLES[stop.phase];
    const lane = lanes.get(title) ?? [];
    lane.push(stop);
    lanes.set(title, lane);
  }
  return [...lanes].map(([title, own]) => ({
    title,
    isReached: own.some(({ outcome }) => outcome !== 'not reached'),
    stops: own,
  }));
}
