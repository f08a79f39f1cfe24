import { expect, it } from 'vitest';
import { renderJson, renderYaml } from './render.ts';

const object = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a' },
  data: { text: 'one\ntwo\n' },
  items: [{ a: 1 }, { b: 2 }],
};

it('writes comments above the fields and items that they are about', () => {
  const text = renderYaml([
    { object },
    {
      object,
      purpose: 'What it is for.',
      comments: [
        [['data', 'text'], 'Two\nlines.'],
        [['items', 1], 'The second.'],
        [['nowhere'], 'Left out.'],
      ],
    },
  ]);
  expect(text).toBe(`---
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data:
  text: |
    one
    two
items:
  - a: 1
  - b: 2
---
# What it is for.
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
data:
  # Two
  # lines.
  text: |
    one
    two
items:
  - a: 1
  # The second.
  - b: 2
`);
});

it('writes a List as JSON', () => {
  expect(JSON.parse(renderJson([{ object }]))).toEqual({ apiVersion: 'v1', kind: 'List', items: [object] });
});
