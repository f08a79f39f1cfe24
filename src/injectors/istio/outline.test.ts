import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../json/json.ts';
import { type Outline, outlineOf, reread, rereadAnew } from './outline.ts';
import { parseYaml } from './rendered-yaml.ts';

const TEXT = (name: string, port: string, block: string, flow: string) =>
  `metadata:
  labels:
    app: ${name}
    same: "yes"
  annotations: {
    first: "${flow}",
    second: b,
  }
spec:
  containers:
  - name: proxy
    args:
    - ${name}
    - --fixed
    ports: [${port}]

    # of the mesh
    env:
    - name: PORTS
      value: |-
        [
          ${block}
        ]
    - {name: X, value: ${flow}}
`;

function known(text: string): Outline {
  const outline = outlineOf(text);
  if (outline === undefined) throw new Error('no outline');
  return outline;
}

/** As a text is read that nobody has seen before. */
function anew(text: string): Json | undefined {
  try {
    return parseYaml(text);
  } catch {
    return undefined;
  }
}

const first = TEXT('web', '80', '{"port": 80}', 'one');

describe('an outline', () => {
  test('reads a text that differs in values, and shares the rest', () => {
    const outline = known(first);
    const text = TEXT('"shop"', '8080', '{"port": 8080}', 'two');
    const document = rereadAnew(outline, text);
    expect(document).toEqual(anew(text));
    const [metadata, before] = [document?.metadata, outline.document.metadata] as { labels: object }[];
    expect(metadata?.labels).not.toBe(before?.labels);
    expect(reread(outline, text)).toEqual(document);
    expect(reread(outline, first)).toEqual(outline.document);
  });

  test('what never differed is the very same object', () => {
    const outline = known('a:\n  b: 1\nc:\n  d: x\n');
    const document = rereadAnew(outline, 'a:\n  b: 1\nc:\n  d: z\n');
    expect(document).toEqual({ a: { b: 1 }, c: { d: 'z' } });
    expect(document?.a).toBe(outline.document.a);
  });

  test('another value differs for the first time', () => {
    const outline = known(first);
    const one = TEXT('shop', '80', '{"port": 80}', 'one');
    const other = TEXT('shop', '81', '{"port": 80}', 'one');
    expect(rereadAnew(outline, one)).toEqual(anew(one));
    expect(reread(outline, other)).toBeUndefined();
    expect(rereadAnew(outline, other)).toEqual(anew(other));
    expect(reread(outline, one)).toEqual(anew(one));
  });

  test.each([
    ['another kind of value', 'a: x\n', 'a: 1\n'],
    ['a value that is gone', 'a: x\n', 'a:\n'],
    ['a value that is a comment', 'a: x\n', 'a: # x\n'],
    ['an item that is a map now', 'a:\n- x\n', 'a:\n- x: 1\n'],
    ['an item that is a list now', 'a:\n- x\n', 'a:\n- - x\n'],
    ['an item that is a quoted key now', 'a:\n- x\n', 'a:\n- "x": 1\n'],
    ['another key', 'a: x\n', 'b: x\n'],
    ['another indentation', 'a:\n  b: x\n', 'a:\n   b: x\n'],
    ['a block that ends early', 'a: |\n  x\n  y\nb: z\n', 'a: |\n  x\ny: 1\nb: z\n'],
    ['a scalar where a block was', 'a: |\n  x\n', 'a: z\n  x\n'],
    ['an unclosed flow', 'a: [x]\nb: z\n', 'a: [x\nb: z]\n'],
    ['more items in a flow', 'a: [x]\n', 'a: [x, y]\n'],
    ['a line more', 'a: x\n', 'a: x\nb: y\n'],
    ['an anchor', 'a: x\n', 'a: &b x\n'],
  ])('does not know %s', (_, one, other) => {
    const outline = known(one);
    expect(rereadAnew(outline, other)).toBeUndefined();
    expect(reread(outline, one)).toEqual(anew(one));
  });

  test.each([['a: x\na: x\n'], ['a: *b\n'], ['- a\n'], ['']])('there is none of %j', (text) => {
    expect(outlineOf(text)).toBeUndefined();
  });

  test('whatever the values are, it reads what would be read without it, or nothing', () => {
    const word = fc.constantFrom(
      ...['web', '"a b"', "'c'", '80', 'true', 'null', '~', '', 'x: y', '- z', '# c'],
    );
    const odd = fc.constantFrom(
      ...['{', '}', '[', ']', ',', '|', '"', "'", '\n', '\n    ', '\n          ', ': '],
    );
    const value = fc.oneof(
      word,
      fc.array(fc.oneof(word, odd), { maxLength: 4 }).map((parts) => parts.join('')),
    );
    const values = fc.tuple(value, value, value, value);
    fc.assert(
      fc.property(values, fc.array(values, { maxLength: 4 }), (start, others) => {
        const outline = outlineOf(TEXT(...start));
        if (outline === undefined) return;
        for (const other of [...others, start]) {
          const text = TEXT(...other);
          for (const read of [reread, rereadAnew, reread]) {
            const document = read(outline, text);
            if (document !== undefined) expect(document).toEqual(anew(text));
          }
        }
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 2_000) },
    );
  });
});
