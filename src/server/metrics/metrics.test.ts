import { expect, test } from 'vitest';
import type { Request } from '../../sdk/request.ts';
import { createMetrics } from './metrics.ts';

test('callers cannot grow the labels, even with an injector for all kinds', async () => {
  const metrics = createMetrics(new Set(['*', 'Pod']));
  const kinds = ['Pod', 'x'.repeat(100), ...Array.from({ length: 1000 }, (_, index) => `Kind${index}`)];
  for (const kind of kinds) {
    const request = { operation: 'CREATE', kind: { group: '', version: 'v1', kind } } as Request;
    metrics.reviewed(
      '/mutate',
      request,
      [{ injector: 'a', round: 1, decision: 'skipped', reason: '' }],
      0,
      0,
    );
  }
  const text = await metrics.registry.metrics();
  const labels = [...text.matchAll(/podgraft_reviews_total\{[^}]*kind="([^"]*)"/g)].map(([, kind]) => kind);
  expect(labels.length).toBeLessThanOrEqual(200);
  expect(labels).toEqual(expect.arrayContaining(['Pod', 'Kind0', 'other']));
});
