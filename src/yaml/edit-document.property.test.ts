import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyPatch } from '../json/apply-patch.ts';
import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { escapeSegment } from '../json/pointer.ts';
import { valueAt } from '../json/value-at.ts';
import { editDocument } from './edit-document.ts';
import { parseDocument } from './parse-document.ts';

/** For a longer run: `RUNS=20000 npx vitest run src/yaml`. */
const RUNS = Number(process.env.RUNS ?? 300);

test('any patch to any document gives the patched value, with no comment twice', () => {
  fc.assert(
    fc.property(
      values,
      dice,
      fc.array(edits, { minLength: 1, maxLength: 6 }),
      (value, rolls, randomEdits) => {
        const { text } = write(value, rolls);
        expect(parseDocument(text).value).toEqual(value);
        const { patch, wanted } = patchFor(value, randomEdits);
        const result = editDocument(parseDocument(text), patch);
        expect(parseDocument(result).value).toEqual(wanted);
        const comments = result.match(/# comment \d+/g) ?? [];
        expect(comments).toEqual([...new Set(comments)]);
        if (JSON.stringify(value) === JSON.stringify(wanted)) expect(result).toBe(text);
      },
    ),
    { numRuns: RUNS },
  );
});

test('an operation does not change lines outside its node', () => {
  fc.assert(
    fc.property(values, dice, edits, (value, rolls, randomEdit) => {
      const written = write(value, rolls);
      const operation = operationFor(value, randomEdit);
      fc.pre(operation.op !== 'move');
      const result = editDocument(parseDocument(written.text), [operation]).split('\n');
      const own = linesOf(written, value, operation);
      const others = written.text.split('\n').filter((text, line) => text !== '' && !own.has(line));
      let at = 0;
      for (const line of others) {
        at = result.indexOf(line, at) + 1;
        expect(at, `"${line}" is missing in\n${result.join('\n')}`).toBeGreaterThan(0);
      }
    }),
    { numRuns: RUNS },
  );
});

/** Syntax that the writer below does not produce. */
const RARE_SYNTAX = {
  anchors:
    'a: &x {k: 1, l: &y [1, 2]} # one\nb: *x\nc:\n  - *y\n  - &x text\n  # two\n  - *x\n  - [*x , *y ]\n? &k key\n: {*k : w}\n',
  'merge keys':
    'base: &b\n  image: x\n  env: {A: 1}\none:\n  <<: *b # merged\n  name: one\ntwo: {<<: [*b , {z: 1}], y: 2}\n',
  tags: 'a: !!str 5 # five\nb: !custom {x: 1}\nc: !!int "5"\nd: !custom\n  - 1\n',
  'explicit keys': '? a # key\n: 1\n? b\n? c\n: x: 1\n  y: 2\n? "d"\n: - 1\n  - 2\n',
  'flow collections on several lines':
    'a: [\n  one, # first\n  # about two\n  two  # second\n]\nb: {x: 1,\n    y: [1,\n      2], z: {\n      # empty\n    }}\nc: [\n]\n',
  'leading commas': 'a: [one\n  , two # second\n  , three]\nb: {x: 1\n  , y: 2}\n',
  'maps without braces': 'a: [x: 1, y, "z": {w: 2}]\nb: {c, d: , "e"}\n',
  'block scalars':
    'a: |+\n  one\n\nb: >-\n  folded\n  text\nc:\n  - |2\n     indented\n  - >+ # keep\n    two\n\n\n  - x\nd: |\ne: end\n',
  'scalars on several lines':
    'a: text that\n  goes on # end\nb: "quoted\n  text"\nc:\n- plain\n  item\n-\n  # above\n  x\n',
  'directives and markers': '%YAML 1.2\n# head\n--- # marker\na: 1\nb: [2]\n# tail\n...\n# after\n',
  'an unusual layout':
    '-   - a\n    -   b: 1\n\n        # c\n        c: 2\n      # deeper\n-\n\n  - # none\n  - null\n  -\n',
  'comments indented further than their collection':
    '- a\n    # deeper\n- b\n\n      # deepest\n- c: 1\n    # after\n  d:\n        # above\n      - x\n      - y\n        # below\n',
  JSON: '{\n\t"a": 1.10,\n\t"b": {"c": [1,2], "d": {}},\n\t"e": 12345678901234567890\n}\n',
};

test.each(Object.entries(RARE_SYNTAX))(
  'any patch to a document with %s gives the patched value',
  (_, text) => {
    fc.assert(
      fc.property(fc.array(edits, { minLength: 1, maxLength: 4 }), fc.boolean(), (randomEdits, crlf) => {
        const document = parseDocument(crlf ? text.replaceAll('\n', '\r\n') : text);
        const { patch, wanted } = patchFor(document.value, randomEdits);
        expect(parseDocument(editDocument(document, patch)).value).toEqual(wanted);
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  },
);

const words = fc.oneof(
  fc.constantFrom(
    'a',
    'b c',
    'yes',
    '1',
    '',
    '# x',
    'x: y',
    '- z',
    "it's",
    '"',
    'null',
    '{',
    '*a',
    'ü',
    '~',
    '0x1',
    '0400',
    '1_0',
    '-0o7',
    '12:30',
    'y',
    '<<',
  ),
  fc.string({ maxLength: 6 }),
);
const scalars = fc.oneof(
  words,
  fc.constantFrom(
    'two\nlines\n',
    'two\nlines',
    'a\n\nb\n\n',
    ' a\nb',
    '\n',
    'a\r\nb',
    'tab\t\nx',
    '#!/bin/sh\nx: y\n',
  ),
  fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 1e21, 123456789),
);
const keys = fc.oneof(fc.constantFrom('a', 'b', 'c', 'd/e', 'f~g', '__proto__', 'yes', '1', ''), words);
const { node: nodes } = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('node'), { maxLength: 3 }),
    maps(tie('node')),
  ),
}));
const values: fc.Arbitrary<Json> = fc.oneof(
  maps(nodes).filter((map) => Object.keys(map).length > 0),
  fc.array(nodes, { minLength: 1, maxLength: 4 }),
);
const dice = fc.array(fc.nat(99), { minLength: 1, maxLength: 40 });

function maps(children: fc.Arbitrary<Json>): fc.Arbitrary<{ [key: string]: Json }> {
  return fc
    .uniqueArray(fc.tuple(keys, children), { maxLength: 3, selector: ([key]) => key })
    .map((entries) => {
      const map: { [key: string]: Json } = {};
      for (const [key, value] of entries) {
        Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
      }
      return map;
    });
}

interface RandomEdit {
  readonly op: 'add' | 'replace' | 'remove' | 'move';
  readonly where: number;
  readonly to: number;
  readonly key: string;
  readonly value: Json;
}
const edits: fc.Arbitrary<RandomEdit> = fc.record({
  op: fc.constantFrom('add', 'replace', 'remove', 'move'),
  where: fc.nat(1000),
  to: fc.nat(1000),
  key: keys,
  value: nodes,
});

function patchFor(value: Json, randomEdits: readonly RandomEdit[]): { patch: Operation[]; wanted: Json } {
  let wanted = value;
  const patch = randomEdits.map((randomEdit) => {
    const operation = operationFor(wanted, randomEdit);
    wanted = applyPatch(wanted, [operation]);
    return operation;
  });
  return { patch, wanted };
}

/** An operation that applies to the value. */
function operationFor(document: Json, { op, where, to, key, value }: RandomEdit): Operation {
  const places = placesIn(document, '').slice(1);
  const path = places[where % places.length];
  if (op === 'add' || path === undefined) return { op: 'add', path: newPlace(document, where, key), value };
  if (op === 'replace') return { op, path, value };
  if (op === 'remove') return { op, path };
  const without = applyPatch(document, [{ op: 'remove', path }]);
  return { op, from: path, path: newPlace(without, to, key) };
}

function newPlace(document: Json, where: number, key: string): string {
  const collections = placesIn(document, '').filter((path) => typeof valueAt(document, path) === 'object');
  const parent =
    collections.filter((path) => valueAt(document, path) !== null)[where % collections.length] ?? '';
  const node = valueAt(document, parent);
  if (isJsonArray(node)) return `${parent}/${where % 3 === 0 ? '-' : where % (node.length + 1)}`;
  return `${parent}/${escapeSegment(key)}`;
}

function placesIn(node: Json, path: string): string[] {
  if (isJsonArray(node)) return [path, ...node.flatMap((item, index) => placesIn(item, `${path}/${index}`))];
  if (!isJsonObject(node)) return [path];
  return [
    path,
    ...Object.entries(node).flatMap(([key, child]) => placesIn(child, `${path}/${escapeSegment(key)}`)),
  ];
}

interface Written {
  readonly text: string;
  /** The first and the last line of each node, including its key or dash. */
  readonly spans: ReadonlyMap<string, readonly [number, number]>;
  readonly flows: ReadonlySet<string>;
}

/** The lines that an operation may change: those of the node, or of its collection if that has to be written in another style. */
function linesOf({ spans, flows }: Written, value: Json, { op, path }: Operation): Set<number> {
  const parent = parentOf(path);
  const node = valueAt(value, parent);
  const siblings = Object.keys(node ?? {}).map((key) => spans.get(`${parent}/${escapeSegment(key)}`));
  const inserts = op === 'add' && (isJsonArray(node) || valueAt(value, path) === undefined);
  const lines = new Set<number>();
  const own = ([first, last]: readonly [number, number] = [0, -1]): void => {
    for (let line = first; line <= last; line += 1) lines.add(line);
  };
  if (!inserts) own(spans.get(path));
  if (siblings.length === 0 || (op === 'remove' && siblings.length === 1)) own(spans.get(parent));
  let outermost = parent;
  while (flows.has(parentOf(outermost)) && outermost !== '') outermost = parentOf(outermost);
  if (flows.has(outermost)) own(spans.get(outermost));
  const [first, second] = siblings;
  if (parent !== '' && first !== undefined && first[0] === spans.get(parent)?.[0]) {
    // A new first entry takes the place after the dash, and so does the second entry when the first is removed.
    if (inserts && path.endsWith('/0')) own([first[0], first[0]]);
    if (op === 'remove' && spans.get(path) === first) own([first[0], second?.[0] ?? first[1]]);
  }
  return lines;
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** Writes a value in a random style: indentation, flow or block, quotes, comments, blank lines. */
function write(value: Json, rolls: readonly number[]): Written {
  let rolled = 0;
  const roll = (sides: number): number => {
    rolled += 1;
    return (rolls[rolled % rolls.length] ?? 0) % sides;
  };
  const lines: string[] = [];
  const spans = new Map<string, [number, number]>();
  const flows = new Set<string>();
  let comments = 0;
  const comment = (): string => {
    comments += 1;
    return `# comment ${comments}`;
  };
  const eol = (): string => (roll(4) === 3 ? ` ${comment()}` : '');
  const quote = (text: string): string => {
    const plain = /^[a-z]+( [a-z]+)*$/.test(text) && !/^(null|true|false|yes|no|on|off|y|n)$/.test(text);
    if (plain && roll(3) < 2) return text;
    return roll(2) === 1 && !/[^\x20-\x7e]/.test(text)
      ? `'${text.replaceAll("'", "''")}'`
      : JSON.stringify(text);
  };
  const scalar = (node: Json): string => (typeof node === 'string' ? quote(node) : JSON.stringify(node));
  const flow = (node: Json, path: string): string => {
    if (typeof node !== 'object' || node === null) return scalar(node);
    flows.add(path);
    const pad = roll(3) === 2 ? ' ' : '';
    const [open, close] = isJsonArray(node) ? '[]' : '{}';
    const items = isJsonArray(node)
      ? node.map((item, index) => flow(item, `${path}/${index}`))
      : Object.entries(node).map(
          ([key, child]) => `${quote(key)}: ${flow(child, `${path}/${escapeSegment(key)}`)}`,
        );
    return items.length === 0 ? `${open}${close}` : `${open}${pad}${items.join(', ')}${pad}${close}`;
  };
  const block = (node: Json, path: string, column: number, prefix: string | undefined): void => {
    const entries = isJsonArray(node)
      ? node.map((item, index) => ['', String(index), item] as const)
      : Object.entries(node ?? {}).map(
          ([key, child]) => [`${quote(key)}:`, escapeSegment(key), child] as const,
        );
    for (const [position, [name, segment, child]] of entries.entries()) {
      if (position > 0 || prefix === undefined) {
        if (roll(6) === 5) lines.push('');
        if (roll(4) === 3) lines.push(' '.repeat(column) + comment());
      }
      const start = lines.length;
      const lead = position === 0 && prefix !== undefined ? prefix : ' '.repeat(column);
      entry(lead + (name === '' ? '-' : name), name === '', child, `${path}/${segment}`, column);
      spans.set(`${path}/${segment}`, [start, lines.length - 1]);
    }
  };
  const entry = (head: string, isItem: boolean, node: Json, path: string, column: number): void => {
    const isLiteral =
      typeof node === 'string' &&
      /^[^\s#][^\r]*\n[^\r]*[^\s]\n$/.test(node) &&
      !/[ \t]\n|[^\n\x20-\x7e]/.test(node);
    if (isLiteral && roll(2) === 0) {
      lines.push(`${head} |${eol()}`);
      const indent = ' '.repeat(column + 2);
      lines.push(
        ...node
          .slice(0, -1)
          .split('\n')
          .map((line) => (line === '' ? '' : indent + line)),
      );
      return;
    }
    const empty = typeof node !== 'object' || node === null || Object.keys(node).length === 0;
    if (node === null && roll(3) === 2) {
      lines.push(head + eol());
    } else if (empty || roll(5) === 4) {
      lines.push(`${head} ${flow(node, path)}${eol()}`);
    } else if (isItem && roll(4) < 3) {
      const gap = roll(5) === 4 ? '   ' : ' ';
      block(node, path, column + 1 + gap.length, head + gap);
    } else {
      lines.push(head + eol());
      const indent = isJsonArray(node) && !isItem ? [0, 2, 4][roll(3)] : [2, 4][roll(2)];
      block(node, path, column + (indent ?? 2), undefined);
    }
  };
  if (roll(3) === 2) lines.push(comment(), '---');
  block(value, '', 0, undefined);
  spans.set('', [0, lines.length - 1]);
  if (roll(3) === 2) lines.push(comment());
  return { text: lines.join('\n') + (roll(4) === 3 ? '' : '\n'), spans, flows };
}
