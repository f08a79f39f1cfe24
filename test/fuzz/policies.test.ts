import { describe, expect, test } from 'vitest';
import { type Answer, answerReview, type ReviewOptions } from '../../src/admission/answer-review.ts';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { problemsOf } from '../../src/pipeline/problems.ts';
import type { ClusterView } from '../../src/sdk/cluster-view.ts';
import { reviewText } from './check-review.ts';
import { CHOICES, type Choice, configurationOf, files } from './configurations.ts';
import { EXPRESSIONS, MUTATORS, POLICIES, WIDGET_MUTATORS, WIDGET_POLICIES } from './policies.ts';
import { randomFrom } from './random.ts';
import { usualCluster } from './random-cluster.ts';
import { NAMESPACES, randomObject } from './random-object.ts';

/** Of 20,000. */
const MOST_OBJECTS = 500;
const NO_OBJECTS = filesView([]);

const policies = (settings: object): Choice => ({
  name: 'admission-policy',
  use: 'admission-policy',
  with: settings,
});
const mutators = (resources: readonly object[]): Choice => ({
  name: 'gatekeeper',
  use: 'gatekeeper',
  with: { resources, cluster: false },
});

// Policies and mutators with problems are not run, so that sending objects would prove nothing.
describe('there are no problems with', () => {
  test.each<[string, Choice, ClusterView]>([
    ...CHOICES.map((choice) => [choice.name, choice, usualCluster()] as [string, Choice, ClusterView]),
    ['policies for custom resources', policies({ customResources: true }), filesView(WIDGET_POLICIES)],
  ])('%s', (_, choice, cluster) => {
    expect(problems(choice, cluster)).toEqual([]);
  });
});

test('the only problem with mutators for custom resources is the provider that they lack', () => {
  expect(problems(mutators(WIDGET_MUTATORS), NO_OBJECTS)).toEqual([
    { injector: 'gatekeeper', problem: 'there is no Provider "none"', severity: 'warning' },
  ]);
});

function problems(choice: Choice, cluster: ClusterView) {
  return problemsOf(configurationOf([choice]).pipeline, cluster);
}

describe(`one of ${MOST_OBJECTS} random objects is changed or judged by`, () => {
  const names = new Set(POLICIES.map(({ metadata }) => metadata.name));
  test.each([...names])('the policy %s', (name) => {
    const own = POLICIES.filter(({ metadata }) => metadata.name === name);
    expect(isAtWork(policies({}), filesView(own))).toBe(true);
  });

  test.each(MUTATORS.map((mutator) => ({ ...mutator.metadata, mutator })))(
    'the mutator $name',
    ({ mutator }) => {
      expect(isAtWork(mutators([mutator]), NO_OBJECTS)).toBe(true);
    },
  );

  const { variables, overlay } = EXPRESSIONS;
  const parts: readonly [string, object][] = [
    ['metadata', { metadata: overlay.metadata }],
    ...Object.entries(overlay.spec).map(([list, items]): [string, object] => [
      list,
      { spec: { [list]: items } },
    ]),
  ];
  test.each(parts)("the overlay's expressions for %s", (name, part) => {
    const choice = { name, use: 'overlay', with: { variables, overlay: part } };
    expect(isAtWork(choice, NO_OBJECTS)).toBe(true);
  });

  test.each(CHOICES)('the injector $name', (choice) => {
    expect(isAtWork(choice, usualCluster())).toBe(true);
  });
});

/** Whether there is a patch, or a warning of the final check. */
function isAtWork(choice: Choice, cluster: ClusterView): boolean {
  const options: ReviewOptions = { pipeline: configurationOf([choice]).pipeline, cluster, files };
  for (let index = 0; index < MOST_OBJECTS; index++) {
    const random = randomFrom(index, 4);
    const body = Buffer.from(reviewText(randomObject(random), random.pick(NAMESPACES)));
    const injected = answerReview(body, options) as Answer;
    if (injected.operations > 0) return true;
    const { body: checked } = answerReview(body, { ...options, finalCheck: 'deny' }) as Answer;
    const { response } = JSON.parse(checked) as { response: { allowed: boolean; warnings?: string[] } };
    if (response.allowed && response.warnings !== undefined) return true;
  }
  return false;
}
