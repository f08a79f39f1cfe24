import { Counter, Gauge, type Registry } from 'prom-client';

/** Pods that lack what an injector adds. */
export interface MissedCount {
  readonly injector: string;
  readonly namespace: string;
  readonly podCount: number;
}

export interface AuditMetrics {
  audited(result: 'complete' | 'incomplete', missed: readonly MissedCount[]): void;
  restarted(): void;
  /** Another replica runs the audits now and has the current numbers. */
  forget(): void;
}

/** Exposes the results of audits. Only the replica that audits has missed injections. */
export function exposeAudits(registry: Registry): AuditMetrics {
  const registers = [registry];
  const missed = new Gauge({
    name: 'podgraft_missed_injections',
    help: 'Running Pods that lack what an injector adds, at the last audit',
    labelNames: ['injector', 'namespace'] as const,
    registers,
  });
  const audits = new Counter({
    name: 'podgraft_audits_total',
    help: 'Audits of running Pods, by result; an incomplete one could not list all of them',
    labelNames: ['result'] as const,
    registers,
  });
  for (const result of ['complete', 'incomplete']) audits.inc({ result }, 0);
  const restarts = new Counter({
    name: 'podgraft_restarted_workloads_total',
    help: 'Workloads restarted because their Pods lacked injections',
    registers,
  });
  return {
    audited(result, counts) {
      audits.inc({ result });
      missed.reset();
      for (const { injector, namespace, podCount } of counts) missed.inc({ injector, namespace }, podCount);
    },
    restarted: () => restarts.inc(),
    forget: () => missed.reset(),
  };
}
