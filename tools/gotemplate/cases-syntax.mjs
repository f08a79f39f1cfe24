import { access } from './cases-access.mjs';
import { args } from './cases-arguments.mjs';
import { control } from './cases-control.mjs';
import { host } from './cases-host.mjs';
import { mistakes } from './cases-mistakes.mjs';

const values = {
  s: 'hello',
  empty: '',
  n: 15020,
  big: 1000000,
  f: 2.5,
  t: true,
  no: false,
  nothing: null,
  list: ['a', 'b', 'c'],
  mixed: [1, 'x', null, true],
  none: [],
  map: { b: 2, a: 1, c: 3 },
  nested: { x: { y: { z: 'deep' } }, 'odd.key': 'odd' },
  i: { $int: 5 },
  i64: { $int64: 7 },
  u: { $uint32: 9 },
  labels: { $stringMap: { app: 'shop' } },
  nolabels: { $stringMap: null },
  tags: { $strings: ['x', 'y'] },
  notags: { $strings: null },
  mode: { $mode: 0 },
  fn: { $func: true },
};

/** The template language. */
export const syntax = [
  ...[...control, ...access, ...mistakes, ...args].map((template) => [template, values]),
  ...host.map((template) => [template, { $host: true }]),
  ...['{{.}}', '{{.a}}', '{{if .}}x{{else}}y{{end}}', '{{range .}}x{{else}}y{{end}}', '{{$.a.b}}'].map(
    (template) => [template, null],
  ),
  ['{{.}} {{if .}}x{{end}}', 'text'],
  ['{{.a}}', 'text'],
  ['{{.}}', [1, 2, 'a']],
  ['{{.a}}', [1]],
];
