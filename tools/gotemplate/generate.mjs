const DATA = {
  a: 'text',
  b: '',
  n: 7,
  z: 0,
  x: 1234567,
  i: { $int: 4 },
  t: true,
  f: false,
  u: null,
  l: ['p', 'q', 'r'],
  e: [],
  m: { k2: 'v2', k1: 'v1' },
  d: { l: [1, 2], m: { y: 'yes' }, u: null },
  s: { $stringMap: { app: 'web' } },
};
const PATHS = [
  '$.a',
  '$.b',
  '$.n',
  '$.z',
  '$.x',
  '$.i',
  '$.t',
  '$.f',
  '$.u',
  '$.l',
  '$.e',
  '$.m',
  '$.d.l',
  '$.d.m.y',
  '$.d.u',
  '$.gone',
  '$.gone.more',
  '$.s.app',
  '$.m.k1',
  '$.d',
];
// These fail where dot is not the root. The last two always fail.
const RISKY = ['.l', '.m', '.a', '.a.b', '.d.u.v'];
const LITERALS = ['"lit"', '`raw`', '1', '0', '2.5', 'true', 'false', '"%v"', "'c'"];
const SPACES = ['', ' ', '\n', '\n  ', '\t', ' \n '];

/** Random templates from a fixed seed, the same in every run. */
export function generated(count = 500, seed = 20240607) {
  const random = generator(seed);
  return Array.from({ length: count }, () => [nodes(random, 2, []), DATA]);
}

function generator(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >>> 8) % limit;
  };
}

function pick(random, list) {
  return list[random(list.length)];
}

function nodes(random, depth, scope) {
  const local = [...scope];
  let out = '';
  for (let i = 1 + random(3); i > 0; i--) out += node(random, depth, local);
  return out;
}

function action(random, body) {
  return `{{${pick(random, ['', ' ', '- '])}${body}${pick(random, ['', ' ', ' -'])}}}`;
}

function node(random, depth, scope) {
  const text = pick(random, SPACES) + pick(random, ['', 'w', 'é', ':']) + pick(random, SPACES);
  const kind = depth === 0 ? random(3) : random(9);
  if (kind < 2) return text + action(random, pipeline(random, 2, scope));
  if (kind === 2) {
    const declares = scope.length === 0 || random(2) === 0;
    const name = declares ? `$v${scope.length}` : pick(random, scope);
    const body = `${name} ${declares ? ':=' : '='} ${pipeline(random, 1, scope)}`;
    if (declares) scope.push(name);
    return text + action(random, body);
  }
  return text + branch(random, depth - 1, scope, kind);
}

function branch(random, depth, scope, kind) {
  const end = action(random, 'end');
  const otherwise = random(2) ? action(random, 'else') + nodes(random, depth, scope) : '';
  const condition = pipeline(random, 1, scope);
  if (kind < 5) return action(random, `if ${condition}`) + nodes(random, depth, scope) + otherwise + end;
  if (kind === 5) return action(random, `with ${condition}`) + nodes(random, depth, scope) + otherwise + end;
  const over = pick(random, [
    '$.l',
    '$.m',
    '$.e',
    '$.d',
    '$.s',
    '2',
    '$.u',
    '$.gone',
    '(list 1 "z")',
    '$.l',
    '$.m',
    '.l',
  ]);
  if (kind === 6) return action(random, `range ${over}`) + nodes(random, depth, scope) + otherwise + end;
  const inner = [...scope, '$k', '$e'];
  const jump =
    random(3) === 0
      ? action(random, `if ${operand(random, 0, inner)}`) +
        action(random, pick(random, ['break', 'continue'])) +
        action(random, 'end')
      : '';
  return (
    action(random, `range $k, $e := ${over}`) +
    nodes(random, depth, inner) +
    jump +
    nodes(random, depth, inner) +
    otherwise +
    end
  );
}

function operand(random, depth, scope) {
  const kind = random(depth > 0 ? 6 : 4);
  if (kind === 0) return pick(random, LITERALS);
  if (kind === 1 && scope.length > 0) return pick(random, scope) + pick(random, ['', '', '.y', '.k1']);
  if (kind < 4) return random(12) === 0 ? pick(random, RISKY) : pick(random, [...PATHS, '.', '.']);
  return `(${pipeline(random, depth - 1, scope)})`;
}

function pipeline(random, depth, scope) {
  const first = random(3) === 0 ? call(random, depth, scope, random(2) + 1) : operand(random, depth, scope);
  let out = first;
  for (let i = random(3); i > 1; i--) out += ` | ${call(random, depth, scope, random(2))}`;
  return out;
}

// Most calls use functions that accept any argument, so that few templates fail early.
const LENIENT = [
  'and',
  'or',
  'print',
  'printf "%v-%s"',
  'printf "%d"',
  'println',
  'html',
  'js',
  'urlquery',
  'default "dd"',
  'quote',
  'squote',
  'list',
  'coalesce',
  'dict "k"',
  'add 1',
  'cat',
  'any',
  'all',
  'max 1',
];
const STRICT = [
  'eq',
  'ne',
  'lt',
  'ge',
  'not',
  'len',
  'index',
  'join ","',
  'upper',
  'trunc 3',
  'first',
  'nindent 2',
  'contains "t"',
  'kindOf',
  'typeOf',
  'toString',
  'toJson',
  'empty',
  'hasKey $.m',
  'get $.m',
  'ternary 1 2',
];

function call(random, depth, scope, args) {
  let out = pick(random, random(4) === 0 ? STRICT : LENIENT);
  for (let i = 0; i < args; i++) out += ` ${operand(random, depth, scope)}`;
  return out;
}
