import { expect, it } from 'vitest';
import type { ChangeView } from '../src/page/view.ts';
import { foldTitle, foldUnchanged, resultLines } from './result-lines.ts';

const change = (owner: string, lines?: [number, number]): ChangeView => ({
  pointer: `/${owner}`,
  path: owner,
  type: 'added',
  owner,
  reason: '',
  ...(lines && { lines }),
});
const owned = (yaml: string, changes: readonly ChangeView[]) =>
  resultLines(yaml, changes).map((line) => `${line.starts ? '>' : ''}${line.change?.owner ?? '-'}`);

it('gives each line its change, and marks where one starts', () => {
  expect(owned('a: 1\nb: 2\nc: 3\n', [change('x', [2, 3])])).toEqual(['-', '>x', 'x']);
});

it('draws a change inside of another one over it', () => {
  expect(owned('a:\n  b: 1\n  c: 2\n', [change('inner', [2, 2]), change('outer', [1, 3])])).toEqual([
    '>outer',
    '>inner',
    '>outer',
  ]);
});

it('has no line for what was removed', () => {
  expect(owned('a: 1\n', [change('x')])).toEqual(['-']);
});

it('folds lines that are far from a change, but not the keys that lead to it', () => {
  const yaml = [
    'kind: Pod',
    'spec:',
    ...Array.from('abcdef', (key) => `  ${key}: 1`),
    '  last:',
    '    new: 1',
    'status: 1',
  ];
  const sections = foldUnchanged(resultLines(yaml.join('\n'), [change('x', [10, 10])]));
  expect(sections.map(({ type, lines }) => [type, lines.map(({ number }) => number)])).toEqual([
    ['lines', [1]],
    ['lines', [2]],
    ['fold', [3, 4, 5, 6, 7, 8]],
    ['lines', [9, 10, 11]],
  ]);
});

it('folds everything far away when nothing leads there', () => {
  const yaml = 'a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\n';
  const sections = foldUnchanged(resultLines(yaml, [change('x', [6, 6])]));
  expect(sections.map(({ type, lines }) => `${type} ${lines.length}`)).toEqual(['fold 4', 'lines 2']);
});

it('folds only what the API server added when nothing else changed', () => {
  const yaml = 'a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\nh: 8\n';
  const plugin: ChangeView = { ...change('ServiceAccount', [5, 8]), isPlugin: true };
  const sections = foldUnchanged(resultLines(yaml, [plugin]));
  expect(sections.map(({ type, lines }) => `${type} ${lines.length}`)).toEqual(['lines 4', 'fold 4']);
  expect(sections.map(({ lines }) => foldTitle(lines))).toEqual([
    '4 unchanged lines',
    '4 lines by ServiceAccount',
  ]);
});
