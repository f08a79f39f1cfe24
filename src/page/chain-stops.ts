import type { Outcome, Step } from '../chain/outcome.ts';
import type { Json } from '../json/json.ts';
import { tryParseJson } from '../json/try-parse-json.ts';
import { toYaml } from '../kubernetes-yaml.ts';
import type { FindingView, StopView } from './view.ts';

/** Findings about a webhook, by the names of its configuration and its own. */
export type FindingsOf = (configuration: string, webhook: string) => readonly FindingView[];

/** The stops of a request in the model of the admission phase. */
export function chainStops(
  { trace, allowed, ...outcome }: Outcome,
  user: string,
  findingsOf: FindingsOf = () => [],
): StopView[] {
  const steps = trace.map((step) => stopOf(step, findingsOf));
  const isDecoded = allowed || trace.length > 0;
  const denial = 'status' in outcome ? outcome.status.message : '';
  const hasSchema = steps.some(({ phase }) => phase === 'schema');
  const at = steps.findIndex(({ phase }) => phase !== 'mutating');
  const notReached = { outcome: 'not reached', detail: 'the request was already rejected' } as const;
  const schema: StopView[] = hasSchema || allowed ? [] : [{ ...SCHEMA, milliseconds: 0, ...notReached }];
  const stops: StopView[] = [
    fixed('before', 'Authentication', `as ${user}`),
    fixed('before', 'Authorization', 'the model assumes that the user may do it'),
    {
      ...fixed('before', 'Decoding', isDecoded ? 'decoded, defaults filled in' : denial),
      outcome: isDecoded ? 'passed' : 'denied',
    },
    ...(at < 0 ? [...steps, ...schema] : [...steps.slice(0, at), ...schema, ...steps.slice(at)]),
    { ...fixed('stored', 'Storage', 'stored in etcd'), ...(!allowed && notReached) },
  ];
  return withUniqueIds(stops);
}

const SCHEMA = { id: '', phase: 'schema', round: 0, title: 'Validation of the API' } as const;

function fixed(phase: StopView['phase'], title: string, detail: string): StopView {
  return { id: '', phase, round: 0, title, outcome: 'passed', detail, milliseconds: 0 };
}

function stopOf(step: Step, findingsOf: FindingsOf): StopView {
  const { milliseconds } = step;
  if (step.type === 'validation')
    return { ...SCHEMA, milliseconds, ...resultOf(step, 'the object is valid') };
  const { phase, round } = step;
  const stop = { id: '', phase, round, milliseconds };
  switch (step.type) {
    case 'plugin':
      return { ...stop, title: step.plugin, ...resultOf(step, 'nothing to do') };
    case 'policy': {
      const by = step.binding === undefined ? '' : `, binding "${step.binding}"`;
      const param = step.param === undefined ? '' : `, parameter "${step.param}"`;
      const messages = step.decisions.flatMap(({ message }) => message ?? []);
      const quiet = messages.join('; ') || 'evaluated, nothing to do';
      const patch = step.decisions.flatMap(({ patch: each }) => each ?? []) as Json[];
      return {
        ...stop,
        title: `${step.policy}${by}${param}`,
        ...resultOf(step, quiet),
        ...(patch.length > 0 && { patch }),
      };
    }
    case 'webhook': {
      const { call, configuration, webhook } = step;
      const answer = call?.answer && (tryParseJson(call.answer.body) ?? call.answer.body);
      const findings = findingsOf(configuration, webhook);
      return {
        ...stop,
        title: webhook,
        ...resultOf(step, 'allowed without a change'),
        ...(call && { review: call.review }),
        ...(answer !== undefined && { answer }),
        ...(call?.patch && { patch: call.patch }),
        ...(findings.length > 0 && { findings }),
      };
    }
  }
}

function resultOf(
  { result }: Step,
  quiet: string,
): Pick<StopView, 'outcome' | 'detail' | 'before' | 'after'> {
  switch (result.outcome) {
    case 'changed':
      return {
        outcome: 'changed',
        detail: 'changed the object',
        before: toYaml(result.before),
        after: toYaml(result.after),
      };
    case 'unchanged':
      return { outcome: 'passed', detail: quiet };
    case 'skipped':
      return { outcome: 'skipped', detail: result.detail || result.because };
    case 'rejected':
      return { outcome: 'denied', detail: result.status.message };
    case 'failed open':
      return { outcome: 'failed', detail: result.error };
  }
}

/** Stable, so that an address can name a stop. */
function withUniqueIds(stops: readonly StopView[]): StopView[] {
  const seen = new Map<string, number>();
  return stops.map((stop) => {
    const slug = stop.title.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '-');
    const id = `${stop.phase}-${stop.round}-${slug}`;
    const count = (seen.get(id) ?? 0) + 1;
    seen.set(id, count);
    return { ...stop, id: count === 1 ? id : `${id}-${count}` };
  });
}
