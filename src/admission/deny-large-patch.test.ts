import { expect, test } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { metadata } from '../injectors/metadata/metadata.ts';
import { overlay } from '../injectors/overlay/overlay.ts';
import { createPipeline } from '../pipeline/pipeline.ts';
import { type Answer, answerReview } from './answer-review.ts';

/** Adds a text of this length to each container. */
function pipelineFor(textLength: number) {
  const env = [{ name: 'TEXT', value: 'x'.repeat(textLength) }];
  return createPipeline([
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
}

function answerFor(containers: number, textLength = 10_000): Answer {
  const pipeline = pipelineFor(textLength);
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
  const reason = 'the patch is too large: more than 8388608 bytes, most of it from injector "texts"';
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

test('a patch of 400 MB is never in memory as a whole', () => {
  const before = process.resourceUsage().maxRSS;
  expect(answerFor(2000, 200_000).allowed).toBe(false);
  const grownBy = (process.resourceUsage().maxRSS - before) / 1024;
  expect(grownBy).toBeLessThan(200);
});
