import { styleText } from 'node:util';
import { applyPatch } from '../json/apply-patch.ts';
import type { Json } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { asJson } from '../kube/kube-object.ts';
import type { ManifestPart } from '../pipeline/run-manifest.ts';
import type { Step } from '../pipeline/trace.ts';
import { nameOf } from './message.ts';
import { namedPath } from './named-path.ts';
import { type Outcomes, problemText } from './run-input.ts';

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;
type IsShown = (step: Step) => boolean;

interface Writer {
  readonly paint: Paint;
  /** Prints a value; on a terminal, a long one is cut. */
  readonly print: (value: Json) => string;
}

/** One block per object, one row per injector, followed by its changes and the values it kept. */
export function renderTable(entries: Outcomes, isShown: IsShown, isTerminal: boolean): string {
  const paint: Paint = isTerminal ? styleText : (_, text) => text;
  // A program or file at the end of a pipe needs the full values.
  const print = isTerminal ? brief : (value: Json) => JSON.stringify(value);
  const blocks = entries.map(([{ object, place }, { parts }]) => {
    const namespace = object.metadata.namespace === undefined ? '' : ` in ${object.metadata.namespace}`;
    const head = `${paint('bold', nameOf(object) + namespace)}  ${paint('dim', place)}`;
    const shown = parts.filter(
      ({ outcome, problems }) => parts.length === 1 || outcome.trace.some(isShown) || problems.length > 0,
    );
    const lines = shown.flatMap((part) => partLines(part, parts.length > 1, isShown, { paint, print }));
    return [head, ...lines].join('\n');
  });
  return blocks.length === 0 ? '' : `${blocks.join('\n\n')}\n`;
}

function partLines(
  { kind, path, seen, outcome, problems }: ManifestPart,
  isOneOfSeveral: boolean,
  isShown: IsShown,
  writer: Writer,
): string[] {
  const { paint } = writer;
  const title = path === '' ? `  as ${kind}` : `  as ${kind}, from ${path}`;
  const width = Math.max(...outcome.trace.map(({ injector }) => injector.length), 8);
  const warnings = outcome.allowed ? outcome.warnings : [];
  let object: Json = asJson(seen);
  const steps = outcome.trace.flatMap((step) => {
    const before = object;
    if (step.decision === 'grafted') object = applyPatch(before, step.patch);
    return isShown(step) ? stepLines(step, before, width, writer) : [];
  });
  return [
    ...(isOneOfSeveral ? [paint('dim', title)] : []),
    ...steps,
    ...warnings.map((text) => `  ${paint('yellow', 'warning')}  ${text}`),
    ...problems.map((problem) => `  ${paint('red', 'invalid')}  ${problemText(problem)}`),
  ];
}

/** `before` is the object that the step changed. */
function stepLines(step: Step, before: Json, width: number, writer: Writer): string[] {
  const { paint, print } = writer;
  const round = step.round > 1 ? ` (round ${step.round})` : '';
  const name = step.injector.padEnd(width);
  const decision = paint(COLOURS[step.decision], step.decision.padEnd(9));
  const notes = (step.notes ?? []).map((note) => `    ${paint('dim', note)}`);
  if (step.decision !== 'grafted') return [`  ${name}  ${decision}  ${step.reason}${round}`, ...notes];
  const count = step.patch.length;
  const summary = count === 0 ? 'nothing to add' : `${count} change${count === 1 ? '' : 's'}`;
  let object = before;
  const changes = step.patch.map((operation) => {
    const previous = object;
    object = applyPatch(previous, [operation]);
    return `    ${operationText(operation, previous, object, writer)}`;
  });
  const kept = step.kept.map(({ path, found, wanted, wantedField, isDefault = false }) => {
    const place = namedPath(object, path);
    const value = found === null ? 'nothing' : print(found);
    const field = wantedField === undefined ? '' : `${wantedField} `;
    return `    ${paint('cyan', '=')} ${place}  kept ${value}${isDefault ? ' (default)' : ''}, wanted ${field}${print(wanted)}`;
  });
  return [`  ${name}  ${decision}  ${summary}${round}`, ...notes, ...changes, ...kept];
}

const COLOURS = {
  grafted: 'green',
  skipped: 'yellow',
  unmatched: 'dim',
  validated: 'green',
  denied: 'red',
  failed: 'red',
} as const;

function operationText(operation: Operation, before: Json, after: Json, { paint, print }: Writer): string {
  const path = namedPath(operation.op === 'remove' ? before : after, operation.path);
  switch (operation.op) {
    case 'add':
      return `${paint('green', '+')} ${path}  ${print(operation.value)}`;
    case 'replace':
      return `${paint('yellow', '~')} ${path}  ${print(operation.value)}`;
    case 'remove':
      return `${paint('red', '-')} ${path}`;
    case 'move':
      return `${paint('yellow', '>')} ${namedPath(before, operation.from)} to ${operation.path}`;
  }
}

function brief(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 99)}…` : text;
}
