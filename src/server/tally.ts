import type { Metric, Registry } from 'prom-client';

/**
 * Counting on the hot path in plain numbers: prom-client looks up a child by its labels at every step, which costs as much as a
 * small merge. What is counted here is handed to its registry when somebody scrapes.
 */
export interface HistogramTally {
  observe(value: number): void;
}

/** A histogram with one label, one series a value of it. */
export function tallyHistogram<L extends string>(
  registry: Registry,
  options: { name: string; help: string; label: L; buckets: readonly number[] },
): (value: string) => HistogramTally {
  const { name, help, label, buckets } = options;
  const series = new Map<string, Series>();
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    labelNames: [label],
    get: async () => ({
      name,
      help,
      type: 'histogram',
      aggregator: 'sum',
      values: [...series].flatMap(([value, counts]) => samples(name, { [label]: value }, buckets, counts)),
    }),
    reset: () => series.clear(),
  };
  registry.registerMetric(metric as unknown as Metric);
  return (value) => {
    const counts: Series = { counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 };
    series.set(value, counts);
    return {
      observe(seconds) {
        let bucket = 0;
        while (bucket < buckets.length && seconds > (buckets[bucket] as number)) bucket++;
        counts.counts[bucket] = (counts.counts[bucket] ?? 0) + 1;
        counts.sum += seconds;
      },
    };
  };
}

interface Series {
  readonly counts: number[];
  sum: number;
}

function samples(
  name: string,
  labels: object,
  buckets: readonly number[],
  { counts, sum }: Series,
): object[] {
  let total = 0;
  const cumulative = counts.map((count, index) => {
    total += count;
    return {
      metricName: `${name}_bucket`,
      labels: { le: buckets[index] ?? '+Inf', ...labels },
      value: total,
    };
  });
  return [
    ...cumulative,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: total },
  ];
}
