import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../sdk/index.ts';
import { parseFully } from './go-yaml.ts';
import { plainYaml } from './plain-yaml.ts';

function fully(text: string): Json | undefined {
  try {
    return parseFully(text);
  } catch {
    return undefined;
  }
}

describe('plainYaml', () => {
  test.each([
    "a: 1\nb: x y\nc:\n- d: \"e\\\"f\"\n  g: 'it''s'\n-   h\n- - 1\n  - 2\ni:\n  j:\n",
    'metadata:\n  annotations: {\n    a/b: "x",\n    c: d, e: "",\n  }\nspec: {list: [a, "b,c", {d: e}], none: }\n',
    'a: |\n       {"x": 1}\nb: |-\n  [\n  1\n\n  ]\n\n# end\nc: d # e\n',
    'args:\n- -p\n- --domain\n- $(POD).svc.x\n- "15090,15021"\n- 100m\n- 1.2.3\n- 10.0.0.0/8\n- http://x:80/y\n',
    'a:\n  - b: 1\n    # c\n    d: 2\n\n  - e\n',
    'emptyDir:\nname: x',
    '',
    '# nothing\n',
    'a: x\na: z\n',
  ])('reads %j', (text) => {
    const value = plainYaml(text);
    expect(value).toEqual(fully(text));
    expect(value).not.toBeUndefined();
  });

  test('agrees with a full parser, or returns undefined', () => {
    const piece = fc.constantFrom(
      ...[
        'a',
        'b: ',
        'c:',
        '- ',
        '-',
        '\n',
        '\n  ',
        '\n    ',
        ' ',
        '{',
        '}',
        '[',
        ']',
        ',',
        '"',
        "'",
        '|',
        '|-',
        '>',
        '#',
        ' # x',
        ':',
      ],
      ...[
        'x y',
        '1',
        '0x1f',
        '1.5',
        '1e3',
        '010',
        '1:30',
        '2001-01-01',
        'yes',
        'True',
        '~',
        'null',
        '<<: ',
        '*a',
        '? ',
        '\\',
        '\\n',
        '"q"',
        "'s'",
        '-1',
        '--x',
        '.5',
        '=',
        '1_000',
        '.inf',
        '&b ',
        '!t ',
        '%',
        '@',
        '`',
        '__proto__: ',
        'x@y',
        'x&y!',
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const text = pieces.join('');
        const value = plainYaml(text);
        if (value !== undefined) expect(value).toEqual(fully(text));
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 5_000) },
    );
  });
});
