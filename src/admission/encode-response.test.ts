import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Patch } from '../json/operation.ts';
import { encodeOutcome } from './encode-response.ts';
import type { Review } from './parse-review.ts';

const path = fc.string({ unit: 'grapheme' }).map((text) => `/${text}`);
const value = fc.jsonValue();
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add' as const, 'replace' as const), path, value }),
  fc.record({ op: fc.constant('remove' as const), path }),
  fc.record({ op: fc.constant('move' as const), path, from: path }),
);

test('encodes any patch so that it decodes to the same', () => {
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1 }), fc.string({ unit: 'grapheme' }), (patch, uid) => {
      const review = { apiVersion: 'admission.k8s.io/v1', request: { uid } } as Review;
      const outcome = { allowed: true, patch: patch as Patch, warnings: [], trace: [] } as const;
      const object = { apiVersion: '', kind: '', metadata: {} };
      const { response } = JSON.parse(encodeOutcome(review, { ...outcome, object }) ?? '');
      expect(response.uid).toBe(uid);
      const text = Buffer.from(response.patch, 'base64').toString();
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(patch)));
    }),
    { numRuns: 2000 },
  );
});

test.each(['x', 'é', '世'])('encodes a long patch of "%s" so that it decodes to the same', (char) => {
  const review = { apiVersion: 'admission.k8s.io/v1', request: { uid: 'u' } } as Review;
  const patch = [{ op: 'add', path: '/x', value: char.repeat(1_500_000) }] as const;
  const object = { apiVersion: '', kind: '', metadata: {} };
  const { response } = JSON.parse(
    encodeOutcome(review, { allowed: true, patch, warnings: [], trace: [], object }) ?? '',
  );
  expect(JSON.parse(Buffer.from(response.patch, 'base64').toString())).toEqual(patch);
});

test.each([100, 101, 200, 250])('encodes %i operations so that they decode to the same', (count) => {
  const review = { apiVersion: 'admission.k8s.io/v1', request: { uid: 'u' } } as Review;
  const patch = Array.from({ length: count }, (_, index) => ({ op: 'remove' as const, path: `/${index}` }));
  const object = { apiVersion: '', kind: '', metadata: {} };
  const { response } = JSON.parse(
    encodeOutcome(review, { allowed: true, patch, warnings: [], trace: [], object }) ?? '',
  );
  expect(JSON.parse(Buffer.from(response.patch, 'base64').toString())).toEqual(patch);
});
