import { Counter, Gauge, type Registry } from 'prom-client';

export interface ReloadMetrics {
  reloaded(result: 'accepted' | 'rejected'): void;
}

/** Exposes how often the configuration was reloaded, and whether the last one was rejected. */
export function exposeReloads(registry: Registry): ReloadMetrics {
  const registers = [registry];
  const reloads = new Counter({
    name: 'podgraft_config_reloads_total',
    help: 'Changes of the configuration since the start, by result',
    labelNames: ['result'] as const,
    registers,
  });
  for (const result of ['accepted', 'rejected']) reloads.inc({ result }, 0);
  const rejected = new Gauge({
    name: 'podgraft_config_rejected',
    aggregator: 'max',
    help: '1 if the configuration on disk was rejected, so that an earlier one is in force',
    registers,
  });
  return {
    reloaded(result) {
      reloads.inc({ result });
      rejected.set(result === 'rejected' ? 1 : 0);
    },
  };
}
