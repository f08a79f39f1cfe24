import { expect, test } from 'vitest';
import { lineAt } from './line-at.ts';
import { parseDocument } from './parse-document.ts';

const TEXT = `# A comment.
kind: List
items:
  - &first
    name: a
    rules:
      - verbs: [get,
                list]
  - *first
  - <<: *first
    name: b
`;

test.each([
  ['/kind', 2, 1],
  ['/items', 3, 1],
  ['/items/0/name', 5, 5],
  ['/items/0/rules/0', 7, 9],
  ['/items/0/rules/0/verbs/1', 8, 17],
  ['/items/1/name', 5, 5],
  ['/items/2/rules', 6, 5],
  ['/items/2/name', 11, 5],
])('finds the line of %s', (pointer, line, column) => {
  expect(lineAt(parseDocument(TEXT), pointer)).toEqual({ line, column });
});

test('counts from the first line of the document, and falls back to the nearest value that exists', () => {
  expect(lineAt(parseDocument(TEXT, 100), '/items/0/missing/deeper')).toEqual({ line: 103, column: 5 });
  expect(lineAt(parseDocument(TEXT), '/nothing')).toEqual({ line: 2, column: 1 });
});
