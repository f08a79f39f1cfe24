import fc from 'fast-check';
import { expect, it } from 'vitest';
import { yamlTokens } from './yaml-tokens.ts';

const shown = (line: string) =>
  yamlTokens(line)
    .map(({ type, text }) => `${type}[${text}]`)
    .join('');

it.each([
  ['kind: Pod', 'key[kind]punctuation[:]plain[ Pod]'],
  [
    '    - name: web # the main one',
    'punctuation[    - ]key[name]punctuation[:]plain[ web]comment[ # the main one]',
  ],
  ['  - nginx:1.27', 'punctuation[  - ]plain[nginx:1.27]'],
  ['  example.com/a: "x # y"', 'punctuation[  ]key[example.com/a]punctuation[:]string[ "x # y"]'],
  ['  command: |-', 'punctuation[  ]key[command]punctuation[:]punctuation[ |-]'],
  ['# all of it', 'comment[# all of it]'],
  ['image: nginx:1.27', 'key[image]punctuation[:]plain[ nginx:1.27]'],
])('splits %s', (line, expected) => {
  expect(shown(line)).toBe(expected);
});

it('loses nothing', () => {
  const text = fc.string({ unit: fc.constantFrom(...'ab:#-"\' {}[]|\t1') });
  fc.assert(
    fc.property(text, (line) => {
      expect(
        yamlTokens(line)
          .map((token) => token.text)
          .join(''),
      ).toBe(line);
    }),
  );
});
