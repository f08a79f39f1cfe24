import { Counter, Gauge, type Registry } from 'prom-client';
import type { KindStatus, LiveView } from '../../cluster/views/live-view.ts';

/** Exposes the age and size of the cluster view, and its live reads. */
export function exposeView(current: () => LiveView, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'podgraft_cluster_view_age_seconds',
    aggregator: 'max',
    help: 'Time since the last event or bookmark of a watch, by kind and, if only a part of it is watched, scope',
    labelNames: ['kind', 'within'] as const,
    registers,
    collect() {
      this.reset();
      for (const { ageSeconds, ...status } of current().kinds()) {
        if (ageSeconds !== undefined) this.set(labelsOf(status), ageSeconds);
      }
    },
  });
  new Gauge({
    name: 'podgraft_cluster_view_objects',
    aggregator: 'max',
    help: 'Objects in the cluster view, by kind and, if only a part of it is watched, scope',
    labelNames: ['kind', 'within'] as const,
    registers,
    collect() {
      this.reset();
      for (const status of current().kinds()) this.set(labelsOf(status), status.objects);
    },
  });
  new Counter({
    name: 'podgraft_live_reads_total',
    help: 'Objects read live because the view did not have them yet, by result',
    labelNames: ['result'] as const,
    registers,
    collect() {
      this.reset();
      const { found, missing, failed } = current().reads;
      for (const [result, count] of Object.entries({ found, missing, failed })) this.inc({ result }, count);
    },
  });
}

/** Prometheus treats an empty label as absent. */
function labelsOf({ kind, within }: Pick<KindStatus, 'kind' | 'within'>) {
  return within === '' ? { kind } : { kind, within };
}
