import { isDeepStrictEqual } from 'node:util';
import { type CaseOutcome, type CelCase, runCase } from '../../peers/cel-case.ts';
import type { Judgement } from '../differential.ts';
import { startOracle } from '../start-oracle.ts';
import { type ExpressionCase, textOf } from './random-expressions.ts';

export const oracle = startOracle('kubernetes');

interface Answer {
  readonly failure?: string;
  readonly compileError?: string;
  readonly type?: string;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost: number;
}

/** Compares what an expression evaluates to, its type and its cost. */
export async function judgeExpression({ tree, variables, ...rest }: ExpressionCase): Promise<Judgement> {
  const expression = textOf(tree);
  const subject = {
    ...rest,
    expression,
    ...(variables && { variables: variables.map(({ name, tree }) => ({ name, expression: textOf(tree) })) }),
  } as unknown as CelCase;
  const theirs = await oracle?.ask<Answer>({ expression: subject });
  if (theirs?.failure?.startsWith('panic: ')) return { departure: PANICS };
  if (theirs === undefined || theirs.failure !== undefined) throw new Error(theirs?.failure ?? 'no oracle');
  const ours = runCase(subject, {});
  const [one, other] = [ourAnswer(ours), theirAnswer(theirs, expression)];
  if (isDeepStrictEqual(one, other)) return 'equal';
  const reason = Object.entries(EXPRESSION_DEPARTURES).find(([, applies]) =>
    applies(one, other, JSON.stringify(subject)),
  );
  if (reason !== undefined) return { departure: reason[0] };
  return {
    difference: `${expression}\nours:   ${JSON.stringify(one)}\ntheirs: ${JSON.stringify(other)}`,
  };
}

interface Comparable {
  readonly compileError?: string;
  readonly type?: string | undefined;
  readonly value?: unknown;
  readonly error?: string;
  readonly cost?: number;
}

/** Differences that docs/decisions/cel.md documents. */
export const EXPRESSION_DEPARTURES: {
  readonly [reason: string]: (ours: Comparable, theirs: Comparable, expression: string) => boolean;
} = {
  'what an expression costs that fails: arguments beside the failing one may count or not': (ours, theirs) =>
    ours.error !== undefined && ours.error === theirs.error && ours.type === theirs.type,
  'a quantity that was computed can be compared like any other': (_, theirs, expression) =>
    theirs.error === 'no such overload' && /\.(add|sub)\(/.test(expression) && /==|!=/.test(expression),
  'the cost of texts with characters beyond U+FFFF counts these twice': (ours, theirs, expression) =>
    /[\u{10000}-\u{10ffff}]/u.test(expression) && isDeepStrictEqual({ ...ours, cost: theirs.cost }, theirs),
  'an error of the checker is reported once, and not again for what follows from it': (ours, theirs) =>
    ours.compileError !== undefined &&
    theirs.compileError?.startsWith(`${ours.compileError}\nERROR`) === true,
  "errors with Go's own type names in them": (ours, theirs) =>
    GO_ERROR.test(ours.error ?? '') && GO_ERROR.test(theirs.error ?? ''),
};

const PANICS = 'expressions on which the API server panics';

const GO_ERROR = /^(internal error: interface conversion|invalid qualifier type): /;

function ourAnswer(outcome: CaseOutcome): Comparable {
  if ('compileError' in outcome) return { compileError: comparableError(outcome.compileError) };
  const { type, cost } = outcome;
  return 'error' in outcome
    ? { type, error: outcome.error, cost }
    : { type, value: sorted(outcome.value), cost };
}

function theirAnswer({ compileError, type, value, error, cost }: Answer, expression: string): Comparable {
  if (compileError !== undefined) return { compileError: comparableError(compileError) };
  if (error === undefined) return { type, value: sorted(value), cost };
  const prefix = `expression '${expression}' resulted in error: `;
  return { type, error: error.startsWith(prefix) ? error.slice(prefix.length) : error, cost };
}

/** The text of a syntax error is that of a parser generator: only its position counts. */
function comparableError(text: string): string {
  return text.replace(/(:\d+: Syntax error):.*/gs, '$1');
}

/** Maps have no order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, child]) => [key, sorted(child)] as const);
  const result = Object.fromEntries(members) as { map?: unknown };
  if (Array.isArray(result.map))
    result.map = result.map.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return result;
}
