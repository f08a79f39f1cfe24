import { expect, test } from 'vitest';
import { createMask } from './mask.ts';

test('masks values of environment variables in any object, and keeps their names and references', () => {
  const object = {
    spec: {
      template: {
        spec: {
          containers: [
            {
              name: 'a',
              env: [
                { name: 'TOKEN', value: 'x' },
                { name: 'REF', valueFrom: { fieldRef: {} } },
              ],
            },
          ],
        },
      },
    },
  };
  expect(createMask().all(object)).toEqual({
    spec: {
      template: {
        spec: {
          containers: [
            {
              name: 'a',
              env: [
                { name: 'TOKEN', value: '***' },
                { name: 'REF', valueFrom: { fieldRef: {} } },
              ],
            },
          ],
        },
      },
    },
  });
  expect(object.spec.template.spec.containers[0]?.env[0]?.value).toBe('x');
});

test('masks the data of Secrets, and the annotation in which kubectl repeats an object', () => {
  const secret = {
    kind: 'Secret',
    metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', other: 'kept' } },
    data: { password: 'aHVudGVyMg==' },
    stringData: { user: 'jane' },
  };
  expect(createMask().all({ request: { object: secret } })).toEqual({
    request: {
      object: {
        kind: 'Secret',
        metadata: {
          annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '***', other: 'kept' },
        },
        data: { password: '***' },
        stringData: { user: '***' },
      },
    },
  });
});

test('a variable that changes still differs', () => {
  const { all: mask } = createMask();
  const env = (value: string) => ({ env: [{ name: 'A', value }] });
  expect([mask(env('one')), mask(env('two')), mask(env('one'))]).toEqual([
    env('***'),
    env('*** (2)'),
    env('***'),
  ]);
});

test.each([
  ['/spec/containers/0/env/0/value', 'secret', '*** (changed)'],
  ['/spec/containers/0/env/-', { name: 'A', value: 'secret' }, { name: 'A', value: '***' }],
  ['/spec/containers/0/env', [{ name: 'A', value: 'secret' }], [{ name: 'A', value: '***' }]],
  ['/spec/containers/-', { env: [{ name: 'A', value: 'secret' }] }, { env: [{ name: 'A', value: '***' }] }],
  ['/stringData/key', 'secret', '*** (changed)'],
  ['/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration', 'secret', '*** (changed)'],
  ['/metadata/labels/team', 'a', 'a'],
])('masks an operation at %s', (path, value, masked) => {
  expect(createMask().all([{ op: 'add', path, value }])).toEqual([{ op: 'add', path, value: masked }]);
});

test('masks a value outside its object by its place', () => {
  const { at } = createMask();
  expect(at('/spec/containers/0/env/0/value', 'secret')).toBe('***');
  expect(at('/spec/containers/0/image', 'nginx')).toBe('nginx');
  expect(at('/spec/containers/0', { env: [{ name: 'A', value: 'secret' }] })).toEqual({
    env: [{ name: 'A', value: '***' }],
  });
});
