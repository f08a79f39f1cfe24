import { styleText } from 'node:util';
import type { Json } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import type { ManifestPart } from '../pipeline/run-manifest.ts';
import type { Step } from '../pipeline/trace.ts';
import { type InputRun, nameOf } from './run-input.ts';

/** One block an object, one row an injector; below it what it changed and what it left as it was. */
export function explainTable({ outcomes }: InputRun, colour: boolean): string {
  const paint = colour ? styleText : (_: unknown, text: string) => text;
  const blocks = [...outcomes].map(([{ object, place }, { parts }]) => {
    const namespace = object.metadata.namespace === undefined ? '' : ` in ${object.metadata.namespace}`;
    const head = `${paint('bold', nameOf(object) + namespace)}  ${paint('dim', place)}`;
    const told = parts.filter((part) => part.path === '' || parts.length === 1 || hasSteps(part));
    return [head, ...told.flatMap((part) => partLines(part, parts.length > 1, paint))].join('\n');
  });
  return `${blocks.join('\n\n')}\n`;
}

type Paint = (format: Parameters<typeof styleText>[0], text: string) => string;

function hasSteps({ outcome }: ManifestPart): boolean {
  return outcome.trace.length > 0;
}

function partLines({ kind, path, outcome }: ManifestPart, several: boolean, paint: Paint): string[] {
  const title = several ? [paint('dim', `  ${path === '' ? `as ${kind}` : `as ${kind}, from ${path}`}`)] : [];
  const width = Math.max(...outcome.trace.map(({ injector }) => injector.length), 8);
  const steps = outcome.trace.flatMap((step) => stepLines(step, width, paint));
  const warnings = outcome.allowed
    ? outcome.warnings.map((text) => `  ${paint('yellow', 'warning')}  ${text}`)
    : [];
  return [...title, ...steps, ...warnings];
}

function stepLines(step: Step, width: number, paint: Paint): string[] {
  const round = step.round > 1 ? ` (round ${step.round})` : '';
  const name = step.injector.padEnd(width);
  const decision = paint(COLOURS[step.decision], step.decision.padEnd(9));
  if (step.decision !== 'grafted') return [`  ${name}  ${decision}  ${step.reason}${round}`];
  const indent = ' '.repeat(4);
  const changes = step.patch.map((operation) => indent + operationText(operation, paint));
  const kept = step.kept.map(
    ({ path, found, wanted }) =>
      `${indent}${paint('cyan', '=')} ${path}  kept ${brief(found)}, wanted ${brief(wanted)}`,
  );
  const summary = step.patch.length === 0 ? 'nothing to add' : count(step.patch.length, 'change');
  return [`  ${name}  ${decision}  ${summary}${round}`, ...changes, ...kept];
}

const COLOURS = { grafted: 'green', skipped: 'yellow', unmatched: 'dim', denied: 'red' } as const;

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

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
