import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Operation, Patch } from '../json/operation.ts';
import { editDocument, patchAt } from './edit-document.ts';
import { parseDocument } from './parse-document.ts';

const FOLDER = new URL('cases/', import.meta.url);

for (const file of readdirSync(FOLDER)) {
  describe(file.replace('.txt', ''), () => {
    for (const { title, before, patch, after } of parseCases(readFileSync(new URL(file, FOLDER), 'utf8'))) {
      test(title, () => {
        expect(edit(before, patch)).toBe(after);
      });

      test(`${title} (CRLF)`, () => {
        expect(edit(crlf(before), patch)).toBe(crlf(after));
      });

      test(`${title} (no final line break)`, () => {
        const result = edit(before.replace(/\n$/, ''), patch);
        expect(result).toBe(after.replace(/\n$/, ''));
      });
    }
  });
}

describe('a patch of a value inside the document', () => {
  const list = 'kind: List\nitems:\n- name: a # first\n- {name: b}\n';

  test('edits one item of a list', () => {
    const patch: Patch = [
      { op: 'add', path: '/labels', value: { x: 1 } },
      { op: 'move', from: '/name', path: '/labels/name' },
    ];
    expect(edit(list, patchAt('/items/0', patch))).toBe(
      'kind: List\nitems:\n- labels:\n    x: 1\n    name: a # first\n- {name: b}\n',
    );
  });

  test('replaces the value if the path is empty', () => {
    const patch: Patch = [{ op: 'add', path: '', value: 1 }];
    expect(edit(list, patchAt('/items/1', patch))).toBe('kind: List\nitems:\n- name: a # first\n- 1\n');
  });
});

describe('rejects', () => {
  test('an operation whose path does not exist', () => {
    expect(() => edit('a: 1\n', [{ op: 'remove', path: '/b' }])).toThrow(
      expect.objectContaining({ code: 'PATCH_INVALID' }),
    );
  });

  test('a value nested too deeply for the stack', () => {
    let value: Operation | object = {};
    for (let depth = 0; depth < 20_000; depth += 1) value = [value];
    const patch = [{ op: 'add', path: '/b', value }] as unknown as Patch;
    expect(() => edit('a: 1\n', patch)).toThrow(expect.objectContaining({ code: 'INPUT_INVALID' }));
  });
});

test('edits three hundred documents in a few seconds', () => {
  const containers = Array.from(
    { length: 6 },
    (_, n) =>
      `  - name: c${n} # container\n    image: "registry/image:${n}"\n    env:\n    - name: A\n      value: b\n`,
  );
  const text = `kind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n${containers.join('')}`;
  const patch = Array.from({ length: 20 }, (_, n): Operation => {
    const value = { name: `V${n}`, value: 'x' };
    return { op: 'add', path: `/spec/containers/${n % 6}/env/-`, value };
  });
  // CPU time, since other processes may use the machine.
  const started = process.cpuUsage();
  for (let n = 0; n < 300; n += 1) edit(text, patch);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(10_000);
  expect(parseDocument(edit(text, patch)).value).toMatchObject({ kind: 'Pod' });
});

function edit(text: string, patch: Patch): string {
  return editDocument(parseDocument(text), patch);
}

interface EditCase {
  readonly title: string;
  readonly before: string;
  readonly patch: Patch;
  readonly after: string;
}

/**
 * Reads a case file: `=== title`, the document, one `=> add /path json` (or `replace`, `remove /path`,
 * `move /from -> /path`) a line, and the document afterwards.
 */
function parseCases(text: string): EditCase[] {
  return text
    .split(/^=== /m)
    .slice(1)
    .map((block) => {
      const [title = '', ...lines] = block.split('\n');
      const first = lines.findIndex((line) => line.startsWith('=> '));
      const last = lines.findLastIndex((line) => line.startsWith('=> '));
      return {
        title,
        before: `${lines.slice(0, first).join('\n')}\n`,
        patch: lines.slice(first, last + 1).map(parseOperation),
        after: lines.slice(last + 1).join('\n'),
      };
    });
}

function parseOperation(line: string): Operation {
  const [, op, path = '', rest = ''] = /^=> (\w+) (\S*) ?(.*)$/.exec(line) ?? [];
  switch (op) {
    case 'add':
    case 'replace':
      return { op, path, value: JSON.parse(rest) };
    case 'remove':
      return { op, path };
    case 'move':
      return { op, from: path, path: rest.replace('-> ', '') };
    default:
      throw new Error(`Cannot read "${line}": unknown operation`);
  }
}

function crlf(text: string): string {
  return text.replaceAll('\n', '\r\n');
}
