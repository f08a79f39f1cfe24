import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Patch } from '../json/operation.ts';
import { stable } from '../json/stable.ts';
import { encodeResponse } from './encode-response.ts';
import type { Review } from './parse-review.ts';

const path = fc.string({ unit: 'grapheme' }).map((text) => `/${text}`);
const value = fc.oneof(
  fc.jsonValue(),
  fc.jsonValue().map((json) => stable(json)),
);
const operation = fc.oneof(
  fc.record({ op: fc.constantFrom('add' as const, 'replace' as const), path, value }),
  fc.record({ op: fc.constant('remove' as const), path }),
  fc.record({ op: fc.constant('move' as const), path, from: path }),
);

test('a patch comes out as it went in, whatever is in it', () => {
  fc.assert(
    fc.property(fc.array(operation, { minLength: 1 }), fc.string({ unit: 'grapheme' }), (patch, uid) => {
      const review = { apiVersion: 'admission.k8s.io/v1', request: { uid } } as Review;
      const outcome = { allowed: true, patch: patch as Patch, warnings: [], trace: [] } as const;
      const object = { apiVersion: '', kind: '', metadata: {} };
      const { response } = JSON.parse(encodeResponse(review, { ...outcome, object }));
      expect(response.uid).toBe(uid);
      const text = Buffer.from(response.patch, 'base64').toString();
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(patch)));
    }),
    { numRuns: 2000 },
  );
});
