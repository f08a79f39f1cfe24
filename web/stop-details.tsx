import type { ComponentChildren } from 'preact';
import type { Json } from '../src/json/json.ts';
import type { FindingView, StopView } from '../src/page/view.ts';
import { Difference } from './difference.tsx';
import { duration } from './duration.ts';
import { Tabs } from './tabs.tsx';

interface Props {
  readonly stop: StopView;
  readonly close: () => void;
}

/** Everything about one stop: what went in and out, and what it did to the object. */
export function StopDetails({ stop, close }: Props) {
  const pages: { [title: string]: ComponentChildren } = {};
  if (stop.before !== undefined && stop.after !== undefined)
    pages['Changes'] = <Difference before={stop.before} after={stop.after} />;
  if (stop.patch !== undefined && stop.patch.length > 0)
    pages['Patch'] = <Lines items={stop.patch.map((operation) => JSON.stringify(operation))} />;
  if (stop.review !== undefined) pages['Review sent'] = <Pretty value={stop.review} />;
  if (stop.answer !== undefined) pages['Answer'] = <Pretty value={stop.answer} />;
  if (stop.before !== undefined) pages['Before'] = <pre class="source">{stop.before}</pre>;
  if (stop.after !== undefined) pages['After'] = <pre class="source">{stop.after}</pre>;
  if (stop.findings !== undefined && stop.findings.length > 0)
    pages[`Findings (${stop.findings.length})`] = <Findings findings={stop.findings} />;
  return (
    <section
      class={`stop-details is-${stop.outcome.replace(' ', '-')}`}
      aria-label={stop.title}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <header>
        <h3>{stop.title}</h3>
        <span class="outcome">{stop.outcome}</span>
        {stop.milliseconds > 0 && <span class="muted">{duration(stop.milliseconds)}</span>}
        <button type="button" class="close" onClick={close}>
          Close
        </button>
      </header>
      {stop.detail !== '' && <p>{stop.detail}</p>}
      {Object.keys(pages).length > 0 && <Tabs pages={pages} label={`Details of ${stop.title}`} />}
    </section>
  );
}

function Pretty({ value }: { readonly value: Json }) {
  return <pre class="source">{JSON.stringify(value, null, 2)}</pre>;
}

function Lines({ items }: { readonly items: readonly string[] }) {
  return <pre class="source is-wrapped">{items.join('\n')}</pre>;
}

function Findings({ findings }: { readonly findings: readonly FindingView[] }) {
  return (
    <ul class="findings">
      {findings.map(({ rule, severity, message }) => (
        <li key={`${rule} ${message}`}>
          <span class={`severity is-${severity}`}>{severity}</span> <code>{rule}</code> {message}
        </li>
      ))}
    </ul>
  );
}
