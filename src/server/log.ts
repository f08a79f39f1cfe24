import { pino } from 'pino';
import type { Answer } from '../admission/answer-review.ts';
import type { Request } from '../sdk/request.ts';

/** The part of pino's logger that the server uses. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}

export function createLog(level: string): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime });
}

/** One line per review: names, decisions and reasons. Env values and Secrets are never logged. */
export function logReview(log: Log, path: string, request: Request, answer: Answer, seconds: number): void {
  if (!log.isLevelEnabled('debug')) return;
  const injectors = answer.trace.map((step) => ({
    injector: step.injector,
    round: step.round,
    decision: step.decision,
    ...('reason' in step
      ? { reason: step.reason }
      : { operations: step.patch.length, kept: step.kept.length }),
  }));
  log.debug({ ...identityOf(request), path, allowed: answer.allowed, seconds, injectors }, 'review');
}

/** One line for each injector that failed and was skipped. */
export function logFailures(log: Log, request: Request, { trace }: Answer): void {
  for (const step of trace) {
    if (step.decision !== 'failed') continue;
    const { injector, reason, error } = step;
    log.error({ ...identityOf(request), injector, error: reason, stack: stackOf(error) }, 'injector skipped');
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
