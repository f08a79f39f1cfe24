import { expect, it } from 'vitest';
import { namedPath } from './named-path.ts';

const pod = {
  metadata: { annotations: { 'a/b': 'c' } },
  spec: { containers: [{ name: 'web', env: [{ name: 'A' }], args: ['x'] }, { name: 'log' }] },
};

it.each([
  ['/spec/containers/1', '/spec/containers[log]'],
  ['/spec/containers/0/env/0/value', '/spec/containers[web]/env[A]/value'],
  ['/spec/containers/-', '/spec/containers[log]'],
  ['/spec/containers/0/args/0', '/spec/containers[web]/args/0'],
  ['/spec/containers/7/env', '/spec/containers/7/env'],
  ['/metadata/annotations/a~1b', '/metadata/annotations/a~1b'],
  ['', ''],
])('shows %j as %j', (path, shown) => {
  expect(namedPath(pod, path)).toBe(shown);
});
