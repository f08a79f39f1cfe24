import { pino } from 'pino';
import type { Answer } from '../admission/answer-review.ts';
import { parseReview } from '../admission/parse-review.ts';
import { membersOf } from '../kube/json-parts.ts';
import { asJson } from '../kube/kube-object.ts';
import type { Request } from '../sdk/request.ts';
import type { LongestCall } from './injector-clock.ts';

/** The part of pino's logger that the server uses. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}

/** Writes to standard output by default. */
export function createLog(level: string, destination?: { write(line: string): void }): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** An answered review. */
export interface Reviewed {
  readonly path: string;
  readonly request: Request;
  readonly body: Buffer;
  readonly answer: Answer;
  readonly seconds: number;
  /** Of a slow review. */
  readonly longestCall?: LongestCall;
}

/**
 * One line for a review that was denied or slow, and for every review at level debug: names, decisions and reasons. Env values and
 * Secrets are never logged.
 */
export function logReview(log: Log, reviewed: Reviewed, slowMs: number): void {
  const { path, request, body, answer, seconds, longestCall } = reviewed;
  const isSlow = seconds * 1000 >= slowMs;
  const level = !answer.allowed || isSlow ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return;
  const fields = { ...identityOf(request), ...generateNameIn(request, body), path, seconds };
  if (!answer.allowed) return log.info({ ...fields, ...denialIn(answer) }, 'review denied');
  const steps = answer.trace.filter(({ decision }) => level === 'debug' || decision !== 'unmatched');
  const injectors = steps.map((step) => ({
    injector: step.injector,
    round: step.round,
    decision: step.decision,
    ...('reason' in step
      ? { reason: step.reason }
      : { operations: step.patch.length, kept: step.kept.length }),
  }));
  const slowest = isSlow ? longestCall : undefined;
  log[level](
    { ...fields, allowed: true, ...(slowest && { slowest }), injectors },
    isSlow ? 'slow review' : 'review',
  );
}

/** The injector that denied; for a final check, the one that would still change the object. */
function denialIn({ trace }: Answer): object {
  for (const { injector, ...step } of trace.toReversed()) {
    if (step.decision === 'denied') return { injector, reason: step.reason };
  }
  const changing = trace.find((step) => step.decision === 'grafted' && step.patch.length > 0);
  if (changing?.decision !== 'grafted') return {};
  return {
    injector: changing.injector,
    reason: `injection is incomplete: "${changing.patch[0]?.path}"`,
  };
}

/** One line for each injector that failed and was skipped. */
export function logFailures(log: Log, { request, body, answer }: Reviewed): void {
  for (const step of answer.trace) {
    if (step.decision !== 'failed') continue;
    const { injector, reason, error } = step;
    const identity = { ...identityOf(request), ...generateNameIn(request, body) };
    log.error({ ...identity, injector, error: reason, stack: stackOf(error) }, 'injector skipped');
  }
}

/** The stack of the exception that an injector threw, with its lines of code. */
export function stackOf(error: unknown): string | undefined {
  const { cause } = error as { cause?: unknown };
  return cause instanceof Error ? cause.stack : error instanceof Error ? error.stack : undefined;
}

/** The fields by which a line is found in the API server's own logs. */
export function identityOf({ uid, operation, kind, namespace, name, dryRun }: Partial<Request>): object {
  return { uid, operation, kind: kind?.kind, namespace, name, dryRun };
}

/** Pods of a controller have no name yet. Parsed again, because few reviews are logged. */
export function generateNameIn({ name }: Partial<Request>, body: Buffer): object {
  if (name) return {};
  const { object } = { object: undefined, ...parseReview(body) };
  const { generateName } = membersOf(object && asJson(object).metadata);
  return typeof generateName === 'string' ? { generateName } : {};
}
