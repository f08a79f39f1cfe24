import { expect, test } from 'vitest';
import { lineRange } from './line-range.ts';
import { parseDocument } from './parse-document.ts';

const TEXT = `# a comment
metadata:
  name: web # another

  labels: {a: b}
spec:
  text: |
    one
    two
  list:
  - name: x
    env:
    - A
  - name: y
last: true
`;

test.each([
  ['', [2, 15]],
  ['/metadata', [2, 5]],
  ['/metadata/name', [3, 3]],
  ['/metadata/labels/a', [5, 5]],
  ['/spec/text', [7, 9]],
  ['/spec/list', [10, 14]],
  ['/spec/list/0', [11, 13]],
  ['/spec/list/1/name', [14, 14]],
  ['/spec/list/2', undefined],
  ['/nothing', undefined],
])('%j is on the lines %j', (pointer, lines) => {
  expect(lineRange(parseDocument(TEXT), pointer)).toEqual(lines);
});
