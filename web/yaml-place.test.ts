import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { yamlPlace } from './yaml-place.ts';

/** The place of the cursor, written as ^. */
function at(text: string) {
  const offset = text.indexOf('^');
  const place = yamlPlace(text.replace('^', ''), offset);
  if (place === undefined) return undefined;
  const { path, key, siblings, from } = place;
  return {
    path: path.join('.'),
    ...(key !== undefined && { key }),
    siblings,
    word: text.slice(from, offset),
  };
}

describe('a key', () => {
  it('is at the root', () => {
    expect(at('kind: Pod\nsp^')).toEqual({ path: '', siblings: ['kind'], word: 'sp' });
  });

  it('is inside of the keys above it', () => {
    expect(at('metadata:\n  name: a\nspec:\n  host^\n  containers: []')).toEqual({
      path: 'spec',
      siblings: ['containers'],
      word: 'host',
    });
  });

  it('is on an empty line with the right indentation', () => {
    expect(at('spec:\n  containers:\n    - name: a\n      ^')?.path).toBe('spec.containers');
  });

  it('is the first one of an item', () => {
    expect(at('spec:\n  containers:\n    - name: a\n    - im^')).toEqual({
      path: 'spec.containers',
      siblings: [],
      word: 'im',
    });
  });

  it('is in a list whose dashes are not indented', () => {
    expect(at('spec:\n  containers:\n  - name: a\n    im^\n    args: []\n  - name: b')).toEqual({
      path: 'spec.containers',
      siblings: ['name', 'args'],
      word: 'im',
    });
    expect(at('spec:\n  containers:\n  - name: a\n  host^')?.path).toBe('spec');
  });

  it('is in a nested item', () => {
    const text = 'spec:\n  containers:\n    - name: a\n      env:\n        - name: X\n          val^';
    expect(at(text)).toEqual({ path: 'spec.containers.env', siblings: ['name'], word: 'val' });
  });

  it('is in the document of the cursor', () => {
    expect(yamlPlace('kind: Pod\n---\nkind: Job\nspec:\n  a', 34)).toMatchObject({
      kind: 'Job',
      path: ['spec'],
    });
  });
});

describe('a value', () => {
  it('has its key', () => {
    expect(at('spec:\n  restartPolicy: Al^')).toEqual({
      path: 'spec',
      key: 'restartPolicy',
      siblings: [],
      word: 'Al',
    });
  });
});

it('is undefined inside comments and flow style', () => {
  expect(at('spec: # ab^')).toBeUndefined();
  expect(at('spec: {ab^')).toBeUndefined();
});

it('never throws, whatever the text', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab:#- \n{"\'') });
  fc.assert(
    fc.property(text, fc.nat(), (yaml, number) => {
      const offset = number % (yaml.length + 1);
      expect(yamlPlace(yaml, offset)?.from ?? 0).toBeLessThanOrEqual(offset);
    }),
  );
});
