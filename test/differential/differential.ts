import { expect } from 'vitest';
import { type Random, randomFrom } from '../fuzz/random.ts';
import { smaller as withoutOnePart } from '../fuzz/shrink.ts';
import { expectRecorded, type Suite } from './recorded-agreement.ts';
import type { Refused } from './validity.ts';

/** Equal, a documented departure, or an unexplained difference. */
export type Judgement = 'equal' | { readonly departure: string } | { readonly difference: string };

export interface Differential<C> {
  generate(random: Random): C;
  /** Compares the two systems on one case. */
  judge(subject: C): Promise<Judgement>;
  /** Smaller cases, for reducing one; by default those without any one of its parts. */
  smaller?(subject: C): Iterable<unknown>;
  /** Counts of the Pods that Kubernetes rejects, since the last call. */
  refused?(): Refused;
}

const FIXED = 1;
const DEPARTURE = 'departure: ';

/** A fixed seed, so that a change of the code is seen, and one of the day, so that more is seen each day. */
export const SEEDS: readonly (readonly [string, number])[] = [
  ['a fixed seed', FIXED],
  ["the day's seed", Number(new Date().toISOString().slice(0, 10).replaceAll('-', ''))],
];

/** For each seed; more for a night: `npm run test:differential -- --runs 100000`. */
export const RUNS = Number(process.env.RUNS ?? 500);

/** Compares random cases, and returns the share of equal ones. A difference is reduced to a small case that still shows it. */
export async function expectAgreement<C>(
  { generate, judge, smaller = withoutOnePart, refused }: Differential<C>,
  suite: Suite,
  seed: number,
): Promise<number> {
  const name = `${suite.system}, ${suite.name}`;
  const counts = new Map<string, number>();
  for (let index = 0; index < RUNS; index++) {
    const subject = generate(randomFrom(seed, index));
    const judgement = await judge(subject);
    const kind =
      judgement === 'equal'
        ? 'equal'
        : 'departure' in judgement
          ? `${DEPARTURE}${judgement.departure}`
          : 'different';
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
    if (kind !== 'different') continue;
    const small = await shrinkCase(subject, smaller, async (each) => isDifferent(await judge(each)));
    const { difference } = (await judge(small)) as { readonly difference: string };
    expect.fail(`${name}, seed ${seed}, case ${index}: ${difference}\n${JSON.stringify(small, null, 1)}`);
  }
  const summary = [...counts].sort().map(([kind, count]) => `${count} ${kind}`);
  console.log(`${name}, seed ${seed}: ${summary.join(', ')}`);
  const equal = counts.get('equal') ?? 0;
  const departures: Record<string, number> = {};
  for (const [kind, count] of counts) {
    if (!kind.startsWith(DEPARTURE)) continue;
    // A case may need several rules.
    for (const reason of kind.slice(DEPARTURE.length).split('; '))
      departures[reason] = (departures[reason] ?? 0) + count;
  }
  const found = refused?.();
  if (found) console.log(`${name}, seed ${seed}: rejected by Kubernetes: ${JSON.stringify(found)}`);
  if (seed === FIXED)
    expectRecorded(suite, { cases: RUNS, equal, departures, ...(found && { refused: found }) });
  return equal / RUNS;
}

function isDifferent(judgement: Judgement): boolean {
  return typeof judgement === 'object' && 'difference' in judgement;
}

const MOST_ATTEMPTS = 3_000;

/** Removes parts for as long as the case still fails. A case that can no longer be judged does not count. */
export async function shrinkCase<C>(
  subject: C,
  smaller: (subject: C) => Iterable<unknown>,
  fails: (subject: C) => Promise<boolean>,
): Promise<C> {
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
