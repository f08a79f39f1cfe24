import { Counter, Gauge, type Registry } from 'prom-client';
import type { KindStatus, LiveView } from '../cluster/live-view.ts';

/** How old what the view knows is, and how often it had to be asked about something newer. */
export function exposeView(view: LiveView, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'podgraft_cluster_view_age_seconds',
    aggregator: 'max',
    help: 'Since a watch last gave a sign of life, by kind and, where not all of it is watched, what within it',
    labelNames: ['kind', 'within'] as const,
    registers,
    collect() {
      for (const { ageSeconds, ...status } of view.kinds()) {
        if (ageSeconds !== undefined) this.set(labelsOf(status), ageSeconds);
      }
    },
  });
  new Gauge({
    name: 'podgraft_cluster_view_objects',
    aggregator: 'max',
    help: 'Objects that the view holds, by kind and, where not all of it is watched, what within it',
    labelNames: ['kind', 'within'] as const,
    registers,
    collect() {
      for (const status of view.kinds()) this.set(labelsOf(status), status.objects);
    },
  });
  new Counter({
    name: 'podgraft_live_reads_total',
    help: 'Objects read live because the view did not hold them yet, by result',
    labelNames: ['result'] as const,
    registers,
    collect() {
      this.reset();
      const { found, missing, failed } = view.reads;
      for (const [result, count] of Object.entries({ found, missing, failed })) this.inc({ result }, count);
    },
  });
}

/** A label that is not set is the same as an empty one. */
function labelsOf({ kind, within }: Pick<KindStatus, 'kind' | 'within'>) {
  return within === '' ? { kind } : { kind, within };
}
