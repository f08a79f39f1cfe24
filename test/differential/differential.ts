import { expect } from 'vitest';
import { type Random, randomFrom } from '../fuzz/random.ts';
import { smaller } from '../fuzz/shrink.ts';

/** Equal, a documented departure, or a difference that nobody has explained. */
export type Judgement = 'equal' | { readonly mended: string } | { readonly difference: string };

export interface Differential<C> {
  generate(random: Random): C;
  /** Compares the two systems on one case. */
  judge(subject: C): Promise<Judgement>;
}

/** A fixed seed, so that a change of the code is seen, and one of the day, so that more is seen each day. */
export const SEEDS: readonly (readonly [string, number])[] = [
  ['a fixed seed', 1],
  ["the day's seed", Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''))],
];

/** For each seed; more for a night: `RUNS=100000 npm run test:differential`. */
export const RUNS = Number(process.env.RUNS ?? 500);

/** Compares random cases. A difference is reduced to a small case that still shows it. */
export async function expectAgreement<C>(
  { generate, judge }: Differential<C>,
  name: string,
  seed: number,
): Promise<void> {
  const counts = new Map<string, number>();
  for (let index = 0; index < RUNS; index++) {
    const subject = generate(randomFrom(seed, index));
    const judgement = await judge(subject);
    const kind =
      judgement === 'equal' ? 'equal' : 'mended' in judgement ? `mended: ${judgement.mended}` : 'different';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (kind !== 'different') continue;
    const small = await shrinkCase(subject, async (each) => isDifferent(await judge(each)));
    const { difference } = (await judge(small)) as { readonly difference: string };
    expect.fail(`${name}, seed ${seed}, case ${index}: ${difference}\n${JSON.stringify(small, null, 1)}`);
  }
  const summary = [...counts].sort().map(([kind, count]) => `${count} ${kind}`);
  console.log(`${name}, seed ${seed}: ${summary.join(', ')}`);
}

function isDifferent(judgement: Judgement): boolean {
  return typeof judgement === 'object' && 'difference' in judgement;
}

const MOST_ATTEMPTS = 3_000;

/** Removes parts for as long as the case still fails. One that cannot be judged any more does not count. */
async function shrinkCase<C>(subject: C, fails: (subject: C) => Promise<boolean>): Promise<C> {
  let current = subject;
  let attempts = 0;
  for (let isSmaller = true; isSmaller && attempts < MOST_ATTEMPTS; ) {
    isSmaller = false;
    for (const candidate of smaller(current)) {
      if (++attempts > MOST_ATTEMPTS) break;
      if (!(await fails(candidate as C).catch(() => false))) continue;
      current = candidate as C;
      isSmaller = true;
      break;
    }
  }
  return current;
}
