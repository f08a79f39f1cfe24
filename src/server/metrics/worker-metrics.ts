import { Counter, type Registry } from 'prom-client';

export type WorkerEnd = 'blocked' | 'error' | 'signal';

/** Exposes the ends of worker processes, on the primary. */
export function exposeWorkerEnds(registry: Registry): (reason: WorkerEnd) => void {
  const ended = new Counter({
    name: 'podgraft_workers_ended_total',
    help: 'Worker processes that ended and were restarted, by reason',
    labelNames: ['reason'] as const,
    registers: [registry],
  });
  for (const reason of ['blocked', 'error', 'signal']) ended.inc({ reason }, 0);
  return (reason) => ended.inc({ reason });
}
