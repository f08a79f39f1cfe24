import { expect, test } from 'vitest';
import { splitDocuments } from './split-documents.ts';

test.each([
  ['one document', 'a: 1\n', ['a: 1\n']],
  ['no final line break', 'a: 1\n---\nb: 2', ['a: 1\n', '---\nb: 2']],
  ['a leading marker', '---\na: 1\n---\nb: 2\n', ['---\na: 1\n', '---\nb: 2\n']],
  ['comments before the first marker', '# head\n\n---\na: 1\n', ['# head\n\n---\na: 1\n']],
  [
    'directives',
    '%YAML 1.2\n---\na: 1\n...\n%YAML 1.1\n---\nb: 2\n',
    ['%YAML 1.2\n---\na: 1\n...\n', '%YAML 1.1\n---\nb: 2\n'],
  ],
  ['empty documents', '---\n---\n# nothing\n---\na: 1\n', ['---\n', '---\n# nothing\n', '---\na: 1\n']],
  ['content on the marker line', '--- {a: 1}\n--- # two\nb: 2\n', ['--- {a: 1}\n', '--- # two\nb: 2\n']],
  ['an end marker and comments after it', 'a: 1\n...\n# end\n', ['a: 1\n...\n# end\n']],
  ['a bare document after an end marker', 'a: 1\n...\nb: 2\n', ['a: 1\n...\n', 'b: 2\n']],
  ['dashes that are not markers', 'a: |\n  ---\n----\n---x\n', ['a: |\n  ---\n----\n---x\n']],
  ['CRLF', 'a: 1\r\n---\r\nb: 2\r\n', ['a: 1\r\n', '---\r\nb: 2\r\n']],
  ['a byte order mark', '\uFEFF---\na: 1\n', ['\uFEFF---\na: 1\n']],
  ['an empty stream', '', ['']],
  ['only comments', '# a\n', ['# a\n']],
  ['JSON, one object a line', '{"a": 1}\n{"b": "}{"}\n', ['{"a": 1}\n', '{"b": "}{"}\n']],
  ['JSON on one line', '{"a": {}}{"b": "\\"{"}', ['{"a": {}}', '{"b": "\\"{"}']],
  ['JSON and YAML', '{"a": 1}\n{"b": 2}\n---\nc: 3\n', ['{"a": 1}\n', '{"b": 2}\n', '---\nc: 3\n']],
  ['flow maps that are not JSON', '{a: 1}\n{b: 2}\n', ['{a: 1}\n{b: 2}\n']],
  ['a trailing marker', 'a: 1\n---\n', ['a: 1\n', '---\n']],
])('splits %s', (_, stream, texts) => {
  const documents = splitDocuments(stream);
  expect(documents.map(({ text }) => text)).toEqual(texts);
  let start = 0;
  for (const { text, line } of documents) {
    expect(stream.slice(start, start + text.length)).toBe(text);
    expect(line).toBe(stream.slice(0, start).split('\n').length);
    start += text.length;
  }
});
