import type { Random } from './random.ts';

/** An expression of CEL: made by its grammar, by changing a good one, or of any characters. */
export function randomExpression(random: Random): string {
  const way = random.int(20);
  if (way < 11) return grow(random, 1 + random.int(4));
  return way < 18 ? mutate(random, random.pick(EXPRESSIONS)) : noise(random);
}

const LITERALS = (
  "1|2|0|-1|1.5|2.0|-0.0|1e300|1u|18446744073709551615u|'a'|''|'abc'|'é😀'|true|false|null|[]|[1, 2, 3]|['a', 'b']|{}|" +
  "{'a': 1}|{1: 'x'}|b'ab'|r'\\d'|9223372036854775807|-9223372036854775808|object|object.spec|object.spec.list|" +
  'object.spec.map|object.spec.text|object.spec.nothing|object.spec.pattern|object.spec.long|object.spec.many|' +
  'object.spec.wide|object.spec.deep|optional.of(1)|optional.none()|object.?spec.?text|dyn(1)|dyn([1])|int|type(1)|' +
  "timestamp('2026-01-01T00:00:00Z')|duration('1h')|quantity('1Ki')|ip('10.0.0.1')|cidr('10.0.0.0/8')|" +
  "semver('1.2.3')|url('https://a.b/c?d=e')|format.dns1123Label()|lists.range(5)|variables.x|request.name|nope"
).split('|');

const OPERATORS = '+ - * / % == != < <= > >= in && ||'.split(' ');

const FUNCTIONS = (
  'size string int uint double bool bytes dyn type timestamp duration quantity isQuantity ip isIP cidr isCIDR url isURL ' +
  'semver isSemver optional.of optional.ofNonZeroValue sign has strings.quote lists.range optional.unwrap format.named ' +
  'ip.isCanonical matches sets.contains nope'
).split(' ');

const METHODS = (
  "size()|startsWith('a')|endsWith(object.spec.text)|contains(object.spec.long)|matches('a+')|matches(object.spec.pattern)|" +
  "matches('(a|aa)+$')|all(x, x == 1)|exists(x, x > 0)|exists_one(x, x == 'a')|map(x, x)|filter(x, x != null)|map(x, [x])|" +
  'map(x, x + x)|all(x, object.spec.many.all(y, x != y))|map(x, object.spec.many)|all(i, v, i == v)|transformList(i, v, v)|' +
  'transformMap(k, v, v)|transformMapEntry(k, v, {v: k})|orValue(1)|or(optional.of(2))|hasValue()|value()|optMap(y, y)|' +
  "optFlatMap(y, optional.of(y))|first()|last()|indexOf('a')|indexOf(1)|lastIndexOf('b')|charAt(0)|substring(1)|" +
  "substring(0, 1)|replace('a', 'bb')|replace('', object.spec.long)|split(',')|split('')|join('-')|lowerAscii()|" +
  'upperAscii()|trim()|format([1])|format([object])|sum()|min()|max()|isSorted()|sort()|sortBy(z, z)|distinct()|reverse()|' +
  "slice(0, 1)|flatten()|flatten(9)|find('a')|findAll('a')|findAll('')|findAll(object.spec.pattern)|find('(a*)*b')|getHours()|" +
  "getMonth('Europe/Berlin')|getDate('+01:00')|add(1)|sub(quantity('1'))|compareTo(quantity('1'))|asInteger()|family()|" +
  "containsIP('10.0.0.1')|containsCIDR('10.1.0.0/16')|masked()|ip()|major()|getHost()|getQuery()|validate('a')|a|?a|spec|" +
  'text|?spec.?x|nope()'
).split('|');

function grow(random: Random, depth: number): string {
  if (depth <= 0) return random.pick(LITERALS);
  const part = () => grow(random, depth - 1 - random.int(2));
  switch (random.int(16)) {
    case 0:
    case 1:
    case 2:
      return random.pick(LITERALS);
    case 3:
    case 4:
      return `${part()} ${random.pick(OPERATORS)} ${part()}`;
    case 5:
    case 6:
    case 7:
    case 8:
      return `(${part()}).${random.pick(METHODS)}`;
    case 9:
      return `${random.pick(FUNCTIONS)}(${random.list(2, part).join(', ')})`;
    case 10:
      return `${part()} ? ${part()} : ${part()}`;
    case 11:
      return `[${random.list(3, () => (random.chance(0.1) ? '?' : '') + part()).join(', ')}]`;
    case 12:
      return `{${random.list(2, () => `${random.chance(0.1) ? '?' : ''}${part()}: ${part()}`).join(', ')}}`;
    case 13:
      return `(${part()})[${random.chance(0.3) ? '?' : ''}${part()}]`;
    case 14:
      return `${random.pick(['!', '-', '--', '!!', '-!'])}${part()}`;
    default:
      return `Object.spec{${random.pick(['a', '?b', 'c'])}: ${part()}}`;
  }
}

/** What people write. */
const EXPRESSIONS: readonly string[] = [
  "object.metadata.?labels['tier'].orValue('') != 'system'",
  "object.spec.containers.all(c, has(c.resources) && quantity(c.resources.limits.memory).isLessThan(quantity('1Gi')))",
  "!has(object.spec.volumes) || object.spec.volumes.exists(v, v.name == 'data' && !has(v.hostPath))",
  "object.spec.list.filter(x, x % 2 == 1).map(x, x * 10).sum() > 20 ? 'many' : 'few'",
  "object.spec.map.transformMap(k, v, k != 'a', v + 1).all(k, v, v > 0)",
  "'%s has %d items'.format([object.spec.text, size(object.spec.list)])",
  "object.spec.text.matches('^[a-z]+(-[a-z]+)*$') && object.spec.text.find('[0-9]+') == ''",
  'object.spec.?text.optMap(t, t.upperAscii()).orValue("none")',
  "timestamp(object.spec.when) + duration('24h') > timestamp('2026-03-01T12:00:00Z')",
  "cidr('10.0.0.0/8').containsIP(ip(object.spec.addr)) || object.spec.addr in ['127.0.0.1', '::1']",
  "url('https://example.com:80/a?b=c').getQuery()['b'][0].split('').sortBy(c, c).distinct().reverse().join('')",
  'sets.intersects(object.spec.list, [1, 2]) && lists.range(10).map(i, i).slice(1, 3) == [1, 2]',
  "Object{metadata: Object.metadata{labels: {?'a': object.?spec.?text, 'b': 'c'}}}",
  "[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('b/c'), value: {'d': [1, 2.5]}}]",
  "semver('1.2.3').compareTo(semver('v1.2', true)) == 1 && format.named('uuid').value().validate(object.spec.text) == optional.none()",
  "{'a': 'x'}.transformMapEntry(k, v, {v: k}).exists(k, k == 'x') && [1, 2].exists_one(x, x == 2)",
  "dyn(1) == 1.0 && type(object.spec.list) == list && b'abc' + b'\\x00' != bytes('abc') // comment",
];

function mutate(random: Random, expression: string): string {
  const tokens = expression.match(TOKENS) ?? [];
  for (let i = 0; i <= random.int(3); i++) {
    const at = random.int(tokens.length);
    const other = random.chance(0.5)
      ? random.pick(LITERALS)
      : random.pick(random.pick(EXPRESSIONS).match(TOKENS) ?? ['']);
    const action = random.int(5);
    if (action < 3) tokens[at] = other;
    else if (action === 3) tokens.splice(at, 1);
    else tokens.splice(at, 0, other);
  }
  return tokens.join('');
}

const TOKENS = /'(?:[^'\\]|\\.)*'|\w+|\s+|[=!<>]=|&&|\|\||./gsu;

function noise(random: Random): string {
  return random.list(40, () => random.pick(CHARACTERS)).join('');
}

const CHARACTERS = [
  ...'()[]{}.,?:!-+*/%<>=&|\'"\\`rbux0123456789ae_ \n\t#;@é😀\u00a0\u200b',
  '//',
  "'''",
  '\\u',
  'in',
  'true',
  'object',
];
