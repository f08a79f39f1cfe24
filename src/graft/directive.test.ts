import { describe, expect, test } from 'vitest';
import { grafted, podWith } from '../../test/grafted.ts';
import type { JsonObject } from '../json/json.ts';
import { absent, at, force, tokens } from './directive.ts';

describe('directives', () => {
  test('force replaces only a value that does not cover the new one', () => {
    const object = podWith({ containers: [{ name: 'web', resources: { limits: { cpu: '1' } } }] });
    const limits = (cpu: string) => ({
      spec: { containers: [{ name: 'web', resources: { limits: { cpu: force(cpu) } } }] },
    });
    expect(grafted(object, limits('1000m')).patch).toEqual([]);
    expect(grafted(object, limits('2')).patch).toHaveLength(1);
  });

  test('absent removes a field, and items by their key', () => {
    const object = podWith({ containers: [{ name: 'a' }, { name: 'b' }, { name: 'a' }], hostNetwork: true });
    const result = grafted(object, { spec: { hostNetwork: absent(), containers: [absent({ name: 'a' })] } });
    expect(result.object.spec).toEqual({ containers: [{ name: 'b' }] });
    expect(result.patch.map(({ op, path }) => `${op} ${path}`)).toEqual([
      'remove /spec/hostNetwork',
      'remove /spec/containers/2',
      'remove /spec/containers/0',
    ]);
  });

  test('absent removes covering items from a list without keys', () => {
    const containers = [{ name: 'web', securityContext: { capabilities: { add: ['NET_RAW', 'CHOWN'] } } }];
    const add = [absent('NET_RAW'), 'KILL'];
    const result = grafted(podWith({ containers }), {
      spec: { containers: [{ name: 'web', securityContext: { capabilities: { add } } }] },
    });
    expect(JSON.stringify(result.object)).toContain('["CHOWN","KILL"]');
  });

  test('absent does nothing where there is nothing', () => {
    expect(
      grafted(podWith(), {
        metadata: { labels: { a: absent() } },
        spec: { volumes: [absent({ name: 'x' })] },
      }).patch,
    ).toEqual([]);
  });

  test.each([
    ['', '-a --require /b.js', '-a --require /b.js'],
    ['-x', '-a --require /b.js', '-x -a --require /b.js'],
    ['-x --require /b.js', '-a --require /b.js', '-x --require /b.js -a'],
    ['-ax', '-a --require /b.js', '-ax -a --require /b.js'],
    ['-x ', '-a --require /b.js', '-x -a --require /b.js'],
  ])('tokens append the missing parts to %j', (found, _, expected) => {
    const object = podWith({ containers: [{ name: 'web', env: [{ name: 'O', value: found }] }] });
    const value = tokens(' ', '-a', '--require /b.js');
    const result = grafted(object, { spec: { containers: [{ name: 'web', env: [{ name: 'O', value }] }] } });
    expect(result.object).toEqual(
      podWith({ containers: [{ name: 'web', env: [{ name: 'O', value: expected }] }] }),
    );
  });
});

describe('$at', () => {
  const names = (object: JsonObject) =>
    ((object.spec as JsonObject).containers as JsonObject[]).map(({ name }) => name).join('');
  const containers = (text: string) => podWith({ containers: [...text].map((name) => ({ name })) });
  const place = (...items: object[]) => ({ spec: { containers: items } });

  test.each([
    ['ab', [{ name: 'x', $at: 'first' }], 'xab'],
    ['ab', [at({ after: 'a' }, { name: 'x' })], 'axb'],
    [
      'ab',
      [
        { name: 'x', $at: 'first' },
        { name: 'y', $at: 'first' },
      ],
      'xyab',
    ],
    [
      'ab',
      [
        { name: 'x', $at: { before: 'b' } },
        { name: 'y', $at: { before: 'b' } },
      ],
      'axyb',
    ],
    [
      'ab',
      [
        { name: 'x', $at: { after: 'a' } },
        { name: 'y', $at: { after: 'a' } },
      ],
      'axyb',
    ],
    ['ab', [{ name: 'x', $at: { before: 'z' } }], 'abx'],
    ['ab', [{ name: 'x', $at: 'last' }], 'abx'],
    ['axb', [{ name: 'x', $at: 'first' }], 'axb'],
    ['axb', [{ name: 'x', $at: { first: true, keep: true } }], 'xab'],
    [
      'axb',
      [
        { name: 'x', $at: { last: true, keep: true } },
        { name: 'y', $at: { last: true, keep: true } },
      ],
      'abxy',
    ],
    ['axb', [{ name: 'x', $at: { after: 'b', keep: true } }], 'abx'],
    ['abx', [{ name: 'x', $at: { before: 'b', keep: true } }], 'axb'],
    [
      'cba',
      [
        { name: 'a', $at: { before: 'b', keep: true } },
        { name: 'b', $at: { before: 'c', keep: true } },
      ],
      'abc',
    ],
    ['a', [{ name: 'x', $at: { after: 'y', keep: true } }, { name: 'y' }], 'ayx'],
  ])('%s with %j is %s', (before, items, after) => {
    expect(names(grafted(containers(before), place(...items)).object)).toBe(after);
  });

  test('orders the items of a new list', () => {
    const volumes = [{ name: 'b' }, { name: 'a', $at: 'first' }];
    expect(grafted(podWith(), { spec: { volumes } }).patch).toEqual([
      { op: 'add', path: '/spec/volumes', value: [{ name: 'a' }, { name: 'b' }] },
    ]);
  });
});
