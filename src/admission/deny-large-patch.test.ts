import { expect, test } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { metadata } from '../injectors/metadata/metadata.ts';
import { overlay } from '../injectors/overlay/overlay.ts';
import { createPipeline } from '../pipeline/pipeline.ts';
import { type Answer, answerReview } from './answer-review.ts';

const env = [{ name: 'TEXT', value: 'x'.repeat(10_000) }];
const pipeline = createPipeline([
  {
    name: 'note',
    injector: metadata,
    config: metadata.config?.({ annotations: { note: 'x'.repeat(100_000) } }),
  },
  {
    name: 'texts',
    injector: overlay,
    config: overlay.config?.({ overlay: { spec: { containers: [{ name: '*', env }] } } }),
  },
]);

function answerFor(containers: number): Answer {
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      operation: 'CREATE',
      namespace: 'shop',
      object: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p' },
        spec: { containers: Array.from({ length: containers }, (_, index) => ({ name: `c${index}` })) },
      },
    },
  };
  return answerReview(Buffer.from(JSON.stringify(review)), { pipeline, cluster: filesView([]) }) as Answer;
}

test('a patch for an object that could not be stored is denied, naming the injector that contributes most', () => {
  const { body, allowed, operations, trace } = answerFor(1000);
  const reason =
    'the patch is too large: the answer would have more than 11534336 bytes, most of it from injector "texts"';
  expect(JSON.parse(body)).toMatchObject({
    response: { allowed: false, status: { code: 403, message: reason } },
  });
  expect({ allowed, operations }).toEqual({ allowed: false, operations: 0 });
  // The log and the metrics follow from the trace.
  expect(trace).toMatchObject([
    { injector: 'note', decision: 'grafted' },
    { injector: 'texts', decision: 'denied', reason },
  ]);
});

test('half of it is sent', () => {
  const { body, allowed } = answerFor(400);
  expect(allowed).toBe(true);
  expect(body.length).toBeGreaterThan(5_000_000);
});
