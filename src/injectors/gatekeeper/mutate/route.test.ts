import { expect, test } from 'vitest';
import type { Json, JsonObject, KubeObject } from '../../../sdk/index.ts';
import type { Mutator } from '../resource/mutator.ts';
import { isInvalid, readMutator } from '../resource/read-mutator.ts';
import { routeOf } from './route.ts';
import type { Subject } from './subject.ts';
import { walk } from './walk.ts';

const subject: Subject = {
  name: 'web',
  namespace: 'shop',
  isNamespace: false,
  username: 'alice',
  namespaceObject: () => undefined,
};

const pod: JsonObject = {
  spec: { containers: [{ name: 'web', env: [{ name: 'A', value: 'a' }] }, { name: 'log' }] },
};

test.each<[string, readonly [string, Json][]]>([
  [
    'different fields',
    [
      ['spec.a', 1],
      ['spec.b.c', 2],
      ['spec.d', 3],
      ['spec.b.e', 4],
    ],
  ],
  [
    'a field and its descendants',
    [
      ['spec.a.b', 1],
      ['spec.a', { c: 2 }],
      ['spec.a.d', 3],
    ],
  ],
  [
    'the same field',
    [
      ['spec.a', 1],
      ['spec.b', 2],
      ['spec.a', 3],
    ],
  ],
  [
    'all elements, then a new one, then all of them again',
    [
      ['spec.containers[name: *].tty', true],
      ['spec.containers[name: new].image', 'new'],
      ['spec.containers[name: *].stdin', true],
    ],
  ],
  [
    'several elements of all elements',
    [
      ['spec.containers[name: *].env[name: A].value', 'x'],
      ['spec.containers[name: *].env[name: B].value', 'y'],
      ['spec.containers[name: *].env[name: A].value', 'z'],
    ],
  ],
  [
    'an element that is set as a whole between changes of its fields',
    [
      ['spec.containers[name: log].tty', true],
      ['spec.containers[name: log]', { name: 'log', image: 'b' }],
      ['spec.containers[name: log].stdin', true],
    ],
  ],
])('mutators in one route give the same result as one after another: %s', (_, changes) => {
  const mutators = changes.map(([location, value], index) => assign(`m${index}`, location, value));
  const changing: Mutator[] = [];
  const together = walk(routeOf(mutators), pod, subject, changing);
  const apart = mutators.reduce((object, mutator) => walk(routeOf([mutator]), object, subject), pod);
  expect(together).toEqual(apart);
  expect(together).not.toEqual(pod);
  expect(new Set(changing)).toEqual(new Set(mutators));
});

test.each<[string, readonly [string, Json, PathTests?][]]>([
  [
    'one creates what another needs',
    [
      ['spec.a.b', 1, { 'spec.a': 'MustExist' }],
      ['spec.a.c', 2],
      ['spec.a.d', 3, { 'spec.a': 'MustExist' }],
    ],
  ],
  [
    'one creates what another must not find',
    [
      ['spec.a', 1, { 'spec.a': 'MustNotExist' }],
      ['spec.b', 2, { 'spec.b': 'MustNotExist' }],
      ['spec.a', 3, { 'spec.a': 'MustNotExist' }],
      ['spec.b', 4],
    ],
  ],
  [
    'one goes below a place that another must not find',
    [
      ['spec.a.b', 1, { 'spec.a': 'MustNotExist' }],
      ['spec.a.c', 2, { 'spec.a': 'MustNotExist' }],
      ['spec.a.d', 3],
    ],
  ],
  [
    'of elements',
    [
      ['spec.containers[name: new].tty', true, { 'spec.containers[name: new]': 'MustExist' }],
      ['spec.containers[name: new].image', 'new', { 'spec.containers[name: new]': 'MustNotExist' }],
      ['spec.containers[name: new].stdin', true, { 'spec.containers[name: new]': 'MustExist' }],
      ['spec.containers[name: new].command', ['x'], { 'spec.containers[name: new]': 'MustNotExist' }],
      ['spec.containers[name: log]', { name: 'log' }, { 'spec.containers[name: log]': 'MustNotExist' }],
    ],
  ],
  [
    'below all elements',
    [
      [
        'spec.containers[name: *].env[name: A].value',
        'x',
        { 'spec.containers[name: *].env[name: A]': 'MustExist' },
      ],
      [
        'spec.containers[name: *].env[name: A].value',
        'y',
        { 'spec.containers[name: *].env': 'MustNotExist' },
      ],
      ['spec.containers[name: *].env[name: A].value', 'z', { 'spec.containers[name: *].env': 'MustExist' }],
      [
        'spec.containers[name: *].env[name: B].value',
        'b',
        { 'spec.containers[name: *].env': 'MustNotExist' },
      ],
    ],
  ],
])('path tests see what mutators before them in the same route have changed: %s', (_, changes) => {
  const mutators = changes.map(([location, value, tests], index) =>
    assign(`m${index}`, location, value, tests),
  );
  const changing: Mutator[] = [];
  const together = walk(routeOf(mutators), pod, subject, changing);
  const changingApart: Mutator[] = [];
  const apart = mutators.reduce(
    (object, mutator) => walk(routeOf([mutator]), object, subject, changingApart),
    pod,
  );
  expect(together).toEqual(apart);
  expect(together).not.toEqual(pod);
  expect(new Set(changing)).toEqual(new Set(changingApart));
  expect(new Set(changing).size).toBeLessThan(mutators.length);
});

test('mutators share the steps that their locations have in common', () => {
  const route = routeOf([
    assign('a', 'spec.containers[name: *].tty', true),
    assign('b', 'spec.hostname', 'x'),
    assign('c', 'spec.containers[name: *].stdin', true),
  ]);
  expect(route).toMatchObject([
    {
      type: 'fields',
      steps: [
        {
          node: { name: 'spec' },
          route: [
            {
              type: 'fields',
              steps: [
                { node: { name: 'containers' }, route: [{ type: 'elements' }] },
                { node: { name: 'hostname' } },
              ],
            },
          ],
        },
      ],
    },
  ]);
});

type PathTests = { readonly [subPath: string]: 'MustExist' | 'MustNotExist' };

function assign(name: string, location: string, value: Json, tests: PathTests = {}): Mutator {
  const pathTests = Object.entries(tests).map(([subPath, condition]) => ({ subPath, condition }));
  const mutator = readMutator({
    apiVersion: 'mutations.gatekeeper.sh/v1',
    kind: 'Assign',
    metadata: { name },
    spec: {
      applyTo: [{ groups: [''], versions: ['v1'], kinds: ['Pod'] }],
      location,
      parameters: { assign: { value }, pathTests },
    },
  } as KubeObject);
  if (isInvalid(mutator)) throw new Error(JSON.stringify(mutator.problems));
  return mutator;
}
