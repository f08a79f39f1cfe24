import { describe, expect, test } from 'vitest';
import { type Answer, answerReview } from '../../src/admission/answer-review.ts';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { checkObject, checkText, reviewText } from './check-review.ts';
import { CHOICES, configurationOf, files } from './configurations.ts';
import { CORPUS, DEEP_OBJECTS, DEEP_RESOURCES } from './corpus.ts';
import { WIDGET_EXPRESSIONS, WIDGET_MUTATORS, WIDGET_POLICIES } from './policies.ts';
import { usualCluster } from './random-cluster.ts';

const cluster = usualCluster();
const byName = (...names: string[]) =>
  configurationOf(
    names.map((name) => CHOICES.find((choice) => choice.name === name) as (typeof CHOICES)[number]),
  );
const forAll = { match: { kinds: ['*'] } };
const configurations = [
  ...CHOICES.map((choice) => configurationOf([choice])),
  byName('istio', 'filebeat-container'),
  byName('filebeat-container', 'istio-container'),
  byName('istio', 'filebeat', 'opentelemetry', 'pod-identity', 'overlay', 'metadata'),
  byName(
    'metadata',
    'filebeat-native',
    'istio-container',
    'overlay-expressions',
    'admission-policy',
    'gatekeeper',
  ),
  byName('overlay', 'pod-identity', 'opentelemetry-container', 'filebeat-container', 'istio-container'),
];

describe.each(CORPUS)('$name', ({ object }) => {
  test.each(configurations)('$name', ({ pipeline }) => {
    let problem = '';
    try {
      for (const namespace of ['team-a', 'default'])
        checkObject(object, namespace, { pipeline, cluster, files });
    } catch (error) {
      problem = (error as Error).message.slice(0, 300);
    }
    expect(problem).toBe('');
  });
});

describe.each(DEEP_OBJECTS)('$name', ({ text }) => {
  test.each(configurations)('$name', ({ pipeline }) => {
    const body = reviewText({ apiVersion: 'v1', kind: 'Pod', x: 'object' }, 'team-a').replace(
      /"object":\{.*?\}/,
      () => `"object":${text}`,
    );
    let problem = '';
    try {
      checkText(body, { pipeline, cluster, files });
    } catch (error) {
      problem = (error as Error).message.slice(0, 300);
    }
    expect(problem).toBe('');
  });
});

describe.each(DEEP_RESOURCES)(
  'a custom resource, $depth levels deep: $text.length characters',
  ({ depth, text }) => {
    test.each([
      configurationOf([{ name: 'copy', use: 'overlay', with: WIDGET_EXPRESSIONS, ...forAll }]),
      configurationOf([
        { name: 'gatekeeper', use: 'gatekeeper', with: { resources: WIDGET_MUTATORS, cluster: false } },
      ]),
      configurationOf([
        { name: 'admission-policy', use: 'admission-policy', with: { customResources: true }, ...forAll },
      ]),
    ])('$name', ({ pipeline }) => {
      const body = reviewText(
        { apiVersion: 'example.com/v1', kind: 'Widget', x: 'object' },
        'team-a',
      ).replace(/"object":\{.*?\}/, () => `"object":${text}`);
      const options = { pipeline, cluster: filesView(WIDGET_POLICIES), files };
      checkText(body, options);
      const { operations } = answerReview(Buffer.from(body), options) as Answer;
      expect(operations > 0).toBe(depth < 1000);
    });
  },
);
