import { styleText } from 'node:util';
import type { Json } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import type { ManifestPart } from '../pipeline/run-manifest.ts';
import type { Step } from '../pipeline/trace.ts';
import { type InputOptions, type InputRun, nameOf, problemText, runInput } from './run-input.ts';

export interface ExplainOptions extends InputOptions {
  readonly output: 'table' | 'json';
}

/** Prints what each injector does to each object, or why it does nothing. */
export async function explain(options: ExplainOptions): Promise<void> {
  const run = await runInput(options);
  process.stdout.write(options.output === 'json' ? renderJson(run) : renderTable(run, process.stdout.isTTY));
}

function renderJson({ outcomes }: InputRun): string {
  const traces = [...outcomes].map(([{ object, place }, { parts }]) => {
    const { apiVersion, kind } = object;
    const { name, generateName, namespace } = object.metadata;
    return {
      resource: { apiVersion, kind, namespace, name, generateName },
      place,
      parts: parts.map(({ kind, path, outcome, problems }) => ({
        kind,
        path,
        allowed: outcome.allowed,
        ...(outcome.allowed ? { warnings: outcome.warnings } : { reason: outcome.reason }),
        problems,
        trace: outcome.trace,
      })),
    };
  });
  return `${JSON.stringify(traces, null, 2)}\n`;
}

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

/** One block per object, one row per injector, followed by its changes and the values it kept. */
function renderTable({ outcomes }: InputRun, colour: boolean): string {
  const paint: Paint = colour ? styleText : (_, text) => text;
  const blocks = [...outcomes].map(([{ object, place }, { parts }]) => {
    const namespace = object.metadata.namespace === undefined ? '' : ` in ${object.metadata.namespace}`;
    const head = `${paint('bold', nameOf(object) + namespace)}  ${paint('dim', place)}`;
    const shown = parts.filter(
      ({ path, outcome }) => path === '' || parts.length === 1 || outcome.trace.length > 0,
    );
    return [head, ...shown.flatMap((part) => partLines(part, parts.length > 1, paint))].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

function partLines(
  { kind, path, outcome, problems }: ManifestPart,
  isOneOfSeveral: boolean,
  paint: Paint,
): string[] {
  const title = path === '' ? `  as ${kind}` : `  as ${kind}, from ${path}`;
  const width = Math.max(...outcome.trace.map(({ injector }) => injector.length), 8);
  const warnings = outcome.allowed ? outcome.warnings : [];
  return [
    ...(isOneOfSeveral ? [paint('dim', title)] : []),
    ...outcome.trace.flatMap((step) => stepLines(step, width, paint)),
    ...warnings.map((text) => `  ${paint('yellow', 'warning')}  ${text}`),
    ...problems.map((problem) => `  ${paint('red', 'invalid')}  ${problemText(problem)}`),
  ];
}

function stepLines(step: Step, width: number, paint: Paint): string[] {
  const round = step.round > 1 ? ` (round ${step.round})` : '';
  const name = step.injector.padEnd(width);
  const decision = paint(COLOURS[step.decision], step.decision.padEnd(9));
  if (step.decision !== 'grafted') return [`  ${name}  ${decision}  ${step.reason}${round}`];
  const count = step.patch.length;
  const summary = count === 0 ? 'nothing to add' : `${count} change${count === 1 ? '' : 's'}`;
  return [
    `  ${name}  ${decision}  ${summary}${round}`,
    ...step.patch.map((operation) => `    ${operationText(operation, paint)}`),
    ...step.kept.map(
      ({ path, found, wanted, isDefault = false }) =>
        `    ${paint('cyan', '=')} ${path}  kept ${brief(found)}${isDefault ? ' (default)' : ''}, wanted ${brief(wanted)}`,
    ),
  ];
}

const COLOURS = {
  grafted: 'green',
  skipped: 'yellow',
  unmatched: 'dim',
  denied: 'red',
  failed: 'red',
} as const;

function operationText(operation: Operation, paint: Paint): string {
  switch (operation.op) {
    case 'add':
      return `${paint('green', '+')} ${operation.path}  ${brief(operation.value)}`;
    case 'replace':
      return `${paint('yellow', '~')} ${operation.path}  ${brief(operation.value)}`;
    case 'remove':
      return `${paint('red', '-')} ${operation.path}`;
    case 'move':
      return `${paint('yellow', '>')} ${operation.from} to ${operation.path}`;
  }
}

function brief(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
