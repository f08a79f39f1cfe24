import { pino } from 'pino';
import type { Answer } from '../admission/answer.ts';
import type { Request } from '../sdk/request.ts';

/** As much of a logger as we use; pino's is one. */
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

/** One line a review: names, verdicts and reasons. Never a value of the object. */
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

/** By which a line is found again in the API server's own logs. */
export function identityOf({ uid, operation, kind, namespace, name, dryRun }: Request): object {
  return { uid, operation, kind: kind.kind, namespace, name, dryRun };
}
