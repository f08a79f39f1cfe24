import type { Counter } from 'prom-client';

/** Counts by label values, until a counter takes them over. prom-client takes several times as long to find a label set. */
export interface Tally<Label extends string> {
  add(labels: Readonly<Record<Label, string>>): void;
  moveTo(counter: Counter<Label>): void;
}

export function createTally<Label extends string>(names: readonly Label[]): Tally<Label> {
  const counts = new Map<string, { readonly labels: Readonly<Record<Label, string>>; count: number }>();
  return {
    add(labels) {
      let key = '';
      for (const name of names) key += `${labels[name]}\n`;
      const found = counts.get(key);
      if (found === undefined) counts.set(key, { labels, count: 1 });
      else found.count++;
    },
    moveTo(counter) {
      for (const { labels, count } of counts.values()) counter.inc(labels, count);
      counts.clear();
    },
  };
}
