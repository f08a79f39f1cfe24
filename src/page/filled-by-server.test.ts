import { expect, it } from 'vitest';
import { runView } from './run-view.ts';

const request = {
  uid: '1',
  time: '',
  operation: 'CREATE',
  kind: 'Pod',
  namespace: 'default',
  name: 'a',
  user: '',
  dryRun: false,
  milliseconds: 0,
};
const stamp = { owner: 'stamp', reason: '' };
const pod = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { nodeName: 'n', ...spec },
});
const view = (filled: object, injected: object) =>
  runView({
    request,
    warnings: [],
    kept: [],
    injectors: [],
    stops: [],
    sent: pod({}),
    turns: [{ before: pod(filled), after: pod(injected), author: stamp }],
    result: pod(injected),
  });

it('shows what an injector puts into an object that the API server filled in', () => {
  const { after, changes } = view({ securityContext: {} }, { securityContext: { runAsNonRoot: true } });
  expect(after).toContain('securityContext:\n    runAsNonRoot: true\n');
  expect(changes).toMatchObject([{ pointer: '/spec/securityContext', type: 'added', owner: 'stamp' }]);
  expect(changes[0]?.lines).toEqual([7, 8]);
});

it('hides what the API server filled in beside it', () => {
  const { after } = view(
    { dnsPolicy: 'ClusterFirst', securityContext: { a: 1 } },
    { dnsPolicy: 'ClusterFirst', securityContext: { a: 1, b: 2 } },
  );
  expect(after).not.toContain('dnsPolicy');
  expect(after).toContain('securityContext:\n    b: 2\n');
});

it('hides an object that only the API server filled in', () => {
  const { after, changes } = view({ securityContext: {} }, { securityContext: {}, hostname: 'x' });
  expect(after).not.toContain('securityContext');
  expect(changes.map(({ path }) => path)).toEqual(['spec.hostname']);
});
