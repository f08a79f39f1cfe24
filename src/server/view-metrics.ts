import { Counter, Gauge, type Registry } from 'prom-client';
import type { LiveView } from '../cluster/live-view.ts';

/** How old what the view knows is, and how often it had to be asked about something newer. */
export function exposeView(view: LiveView, registry: Registry): void {
  const registers = [registry];
  new Gauge({
    name: 'podgraft_cluster_view_age_seconds',
    help: 'Since the watch of a kind last gave a sign of life',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const { kind, ageSeconds } of view.kinds()) {
        if (ageSeconds !== undefined) this.set({ kind }, ageSeconds);
      }
    },
  });
  new Gauge({
    name: 'podgraft_cluster_view_objects',
    help: 'Objects of a kind that the view holds',
    labelNames: ['kind'] as const,
    registers,
    collect() {
      for (const { kind, objects } of view.kinds()) this.set({ kind }, objects);
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
