import { describe, expect, test } from 'vitest';
import { type Answer, answerReview, type ReviewOptions } from '../../src/admission/answer-review.ts';
import { reviewText } from './check-review.ts';
import { CHOICES, configurationOf, files } from './configurations.ts';
import { LARGE, LARGEST } from './large-objects.ts';
import { usualCluster } from './random-cluster.ts';

/** How much slower this machine may be than the one for which the limits hold: CI shares its cores and their caches. */
const SLOWDOWN = Number(process.env.FUZZ_SLOWDOWN ?? 2);
/** The limits are those of one injector. Six of them together, each of which changes 1,000 containers, may take this much longer. */
const TOGETHER = 1.5;
/** The same for admission policies: there are eight, and each one that applies decodes the object as the API server does. */
const POLICIES_TOGETHER = 2;
/** The limits hold once the code is compiled. */
const MOST_RUNS = 12;
const LARGEST_ANSWER = 16 * 1024 * 1024;

const cluster = usualCluster();
const configurations = [
  ...CHOICES.map((choice) => ({
    ...configurationOf([choice]),
    share: choice.name === 'admission-policy' ? POLICIES_TOGETHER : 1,
  })),
  {
    ...configurationOf(
      ['istio', 'filebeat', 'opentelemetry', 'pod-identity', 'overlay', 'metadata'].map(
        (name) => CHOICES.find((choice) => choice.name === name) as (typeof CHOICES)[number],
      ),
    ),
    share: TOGETHER,
  },
];
// Warms up what is read once, such as Istio's ConfigMaps.
const small = Buffer.from(
  reviewText(
    { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers: [{ name: 'web' }] } },
    'team-a',
  ),
);
for (const { pipeline } of configurations)
  for (let run = 0; run < 20; run++) void answerReview(small, { pipeline, cluster, files });

describe.each([
  { limit: 50, objects: LARGE },
  { limit: 500, objects: LARGEST },
])('within $limit ms', ({ limit, objects }) => {
  test.each(objects)('$name', ({ make, use = '', isBeyond = false }) => {
    const body = Buffer.from(reviewText(make(), 'team-a'));
    expect(isTouched(body, use)).toBe(!isBeyond);
    const problems = configurations
      .filter(({ name }) => name.startsWith(use))
      .flatMap(({ name, pipeline, share }) => {
        const most = limit * share * SLOWDOWN;
        const problem = problemOf(body, { pipeline, cluster, files }, most);
        if (problem === undefined) return [];
        return [`${name}: ${problem}`];
      });
    expect(problems).toEqual([]);
  });
});

/** Whether an injector looks at the object. Else its row would show nothing about the injectors. */
function isTouched(body: Buffer, use: string): boolean {
  return configurations
    .filter(({ name }) => name.startsWith(use))
    .some(({ pipeline }) => {
      const { trace } = answerReview(body, { pipeline, cluster, files }) as Answer;
      return trace.some(({ injector, decision }) => injector.startsWith(use) && decision !== 'unmatched');
    });
}

function problemOf(body: Buffer, options: ReviewOptions, limit: number): string | undefined {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < MOST_RUNS && best > limit; run++) {
    const [start, before] = [performance.now(), process.cpuUsage()];
    let answer: Answer;
    try {
      answer = answerReview(body, options) as Answer;
    } catch (error) {
      return (error as Error).message.slice(0, 300);
    }
    const { user, system } = process.cpuUsage(before);
    // Both overestimate: one includes the work of other processes, the other that of this process's garbage collection threads.
    best = Math.min(best, performance.now() - start, (user + system) / 1000);
    if (answer.body.length > LARGEST_ANSWER) return `an answer of ${answer.body.length} bytes`;
    if (best > 10 * limit) break;
  }
  return best > limit ? `took ${Math.round(best)} ms` : undefined;
}
