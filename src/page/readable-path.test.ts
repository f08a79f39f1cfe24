import { expect, test } from 'vitest';
import { readablePath } from './readable-path.ts';

const pod = {
  metadata: { annotations: { 'example.com/team': 'a' } },
  spec: {
    containers: [
      { name: 'app', env: [{ name: 'HOME' }], volumeMounts: [{ mountPath: '/data' }], args: ['x'] },
    ],
  },
};

test.each([
  ['', ''],
  ['/spec', 'spec'],
  ['/spec/containers/0/env/0/value', 'spec.containers[app].env[HOME].value'],
  ['/spec/containers/0/volumeMounts/0', 'spec.containers[app].volumeMounts[/data]'],
  ['/spec/containers/0/args/0', 'spec.containers[app].args[0]'],
  ['/spec/containers/-', 'spec.containers[app]'],
  ['/spec/containers/7', 'spec.containers[7]'],
  ['/metadata/annotations/example.com~1team', 'metadata.annotations[example.com/team]'],
])('%j is read as %j', (pointer, path) => {
  expect(readablePath(pod, pointer)).toBe(path);
});
