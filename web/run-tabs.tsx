import type { RunView } from '../src/page/view.ts';

interface Props {
  readonly runs: readonly RunView[];
  readonly shown: number;
  readonly show: (index: number) => void;
}

/** The outcome of the object; one button per document if there are several. */
export function RunTabs({ runs, shown, show }: Props) {
  if (runs.length < 2) return null;
  return (
    <nav class="run-tabs" aria-label="Documents">
      {runs.map(({ request, verdict }, index) => (
        <button key={index} type="button" aria-pressed={index === shown} onClick={() => show(index)}>
          <Verdict verdict={verdict} /> {request.kind} {request.name}
        </button>
      ))}
    </nav>
  );
}

export function Verdict({ verdict }: { readonly verdict: RunView['verdict'] }) {
  return <span class={`verdict is-${verdict}`}>{verdict}</span>;
}
