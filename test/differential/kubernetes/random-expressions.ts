import type { Random } from '../../fuzz/random.ts';
import type { CelCase } from '../../peers/cel-case.ts';

/** Part of an expression: a text with `$0`, `$1` … for the parts inside. */
export interface Part {
  readonly type: string;
  readonly text: string;
  readonly parts: readonly Part[];
}

/** An expression as a tree, so that it can be reduced, and where it is evaluated. */
export interface ExpressionCase
  extends Omit<CelCase, 'name' | 'topic' | 'expression' | 'variables' | 'request' | 'expect'> {
  readonly request: object;
  readonly tree: Part;
  readonly variables?: readonly { readonly name: string; readonly tree: Part }[];
}

export function textOf({ text, parts }: Part): string {
  return text.replace(/\$(\d)/g, (_, index: string) => textOf(parts[Number(index)] as Part));
}

const KINDS = [
  'expression',
  'expression',
  'expression',
  'matchCondition',
  'validation',
  'messageExpression',
  'auditAnnotation',
] as const;

export function randomExpressionCase(random: Random): ExpressionCase {
  const kind = random.pick(KINDS);
  const depth = 1 + random.int(4);
  const types = Object.keys(RULES);
  const type =
    { expression: random.pick(types), messageExpression: 'string', auditAnnotation: 'string' }[
      kind as 'expression'
    ] ?? 'bool';
  const hasVariables = kind !== 'matchCondition' && random.chance(0.15);
  const variables = hasVariables
    ? [
        { name: 'a', tree: randomPart(random, random.pick(types), depth - 1) },
        { name: 'b', tree: randomPart(random, 'int', depth - 1) },
      ]
    : undefined;
  return {
    kind,
    tree: randomPart(random, type, depth, hasVariables),
    ...(variables && { variables }),
    object: random.pick(OBJECTS),
    ...(random.chance(0.3) && { oldObject: random.pick(OBJECTS) }),
    ...(random.chance(0.2) && { params: random.pick([null, { data: { limit: '5' } }]) }),
    request: REQUEST,
    namespaceObject: kind === 'matchCondition' ? null : NAMESPACE,
    authorizer: [{ verb: 'create', decision: 'allow', reason: 'ok' }],
    user: 'ann',
  };
}

function randomPart(random: Random, type: string, depth: number, hasVariables = false): Part {
  // Occasionally one of another type, which the checker rejects unless it is dynamic.
  const wanted = random.chance(0.02) ? random.pick(Object.keys(RULES)) : type;
  if (hasVariables && random.chance(0.15))
    return { type, text: random.pick(['variables.a', 'variables.b']), parts: [] };
  const rules = RULES[wanted] as Rule;
  const rule = depth <= 0 || random.chance(0.15) ? random.pick(rules.leaves) : random.pick(rules.nodes);
  const [text, ...inner] = rule.split(' <- ');
  const types = inner.length === 0 ? [] : (inner[0] as string).split(' ');
  return {
    type: wanted,
    text: text as string,
    parts: types.map((each) => randomPart(random, each, depth - 1, hasVariables)),
  };
}

/** Cases with a part replaced by one of its own parts, or by the simplest one of its type. */
export function* smallerExpressions(subject: ExpressionCase): Generator<ExpressionCase> {
  if (subject.variables !== undefined) {
    const { variables: _, ...rest } = subject;
    yield rest;
    for (const [at, { name, tree }] of subject.variables.entries())
      for (const smaller of smallerParts(tree))
        yield { ...subject, variables: subject.variables.with(at, { name, tree: smaller }) };
  }
  for (const tree of smallerParts(subject.tree)) yield { ...subject, tree };
}

function* smallerParts(part: Part): Generator<Part> {
  for (const inner of part.parts) if (inner.type === part.type) yield inner;
  const [simplest] = (RULES[part.type] as Rule).leaves;
  if (part.parts.length > 0) yield { type: part.type, text: simplest as string, parts: [] };
  for (const [at, inner] of part.parts.entries())
    for (const smaller of smallerParts(inner)) yield { ...part, parts: part.parts.with(at, smaller) };
}

interface Rule {
  readonly leaves: readonly string[];
  /** `text <- types of the parts`. */
  readonly nodes: readonly string[];
}

const RULES: { readonly [type: string]: Rule } = {
  bool: {
    leaves: [
      'true',
      'false',
      'object.spec.on',
      'has(object.spec.replicas)',
      'has(object.spec.nothing)',
      'request.dryRun',
      "'a' in object.metadata.labels",
    ],
    nodes: [
      '($0 && $1) <- bool bool',
      '($0 || $1) <- bool bool',
      '!$0 <- bool',
      '($0 ? $1 : $2) <- bool bool bool',
      '($0 == $1) <- int int',
      '($0 != $1) <- string string',
      '($0 == $1) <- dyn dyn',
      '($0 == $1) <- double double',
      '($0 == $1) <- ints ints',
      '($0 == $1) <- map map',
      '($0 == $1) <- quantity quantity',
      '($0 == $1) <- bytes bytes',
      '($0 < $1) <- int int',
      '($0 >= $1) <- int double',
      '($0 <= $1) <- string string',
      '($0 > $1) <- timestamp timestamp',
      '($0 < $1) <- duration duration',
      '($0 < $1) <- uint int',
      '($0 < $1) <- dyn int',
      '($0 in $1) <- int ints',
      '($0 in $1) <- string strings',
      '($0 in $1) <- string map',
      '($0 in $1) <- dyn dyn',
      '$0.startsWith($1) <- string string',
      '$0.endsWith($1) <- string string',
      '$0.contains($1) <- string string',
      "$0.matches('^[a-z]+(-[0-9]+)?$$') <- string",
      '$0.matches($1) <- string string',
      '$0.all(x, x > $1) <- ints int',
      '$0.exists(x, x == $1) <- strings string',
      '$0.exists_one(x, x == $1) <- ints int',
      '$0.all(i, x, x >= i) <- ints',
      '$0.exists(k, v, v == $1) <- map string',
      '$0.all(k, k.size() > $1) <- map int',
      '$0.isSorted() <- ints',
      '$0.hasValue() <- optional',
      'isQuantity($0) <- string',
      '$0.isGreaterThan($1) <- quantity quantity',
      'isIP($0) <- string',
      'isCIDR($0) <- string',
      'isURL($0) <- string',
      'isSemver($0) <- string',
      '$0.isLessThan($1) <- semver semver',
      'ip.isCanonical($0) <- string',
      '$0.containsIP($1) <- cidr ip',
      '$0.isLoopback() <- ip',
      'sets.contains($0, $1) <- ints ints',
      'sets.intersects($0, $1) <- strings strings',
      'sets.equivalent($0, $1) <- ints ints',
      'bool($0) <- string',
      'type($0) == type($1) <- dyn dyn',
      "authorizer.group('').resource('pods').check($0).allowed() <- string",
      'has(object.metadata.labels) && $0 <- bool',
      '$0.isInteger() <- quantity',
      'format.dns1123Label().validate($0).hasValue() <- string',
      'object.spec.list.all(x, x == $0) <- dyn',
    ],
  },
  int: {
    leaves: [
      '1',
      '0',
      '-3',
      '7',
      '9223372036854775807',
      'object.spec.replicas',
      'size(object.spec.list)',
      'size(object.metadata.labels)',
    ],
    nodes: [
      '($0 + $1) <- int int',
      '($0 - $1) <- int int',
      '($0 * $1) <- int int',
      '($0 / $1) <- int int',
      '($0 % $1) <- int int',
      '-$0 <- int',
      '$0.size() <- string',
      'size($0) <- ints',
      'size($0) <- map',
      '($0 ? $1 : $2) <- bool int int',
      '$0[$1] <- ints int',
      '$0.sum() <- ints',
      '$0.min() <- ints',
      '$0.max() <- ints',
      '$0.indexOf($1) <- ints int',
      '$0.indexOf($1) <- string string',
      '$0.lastIndexOf($1) <- string string',
      'int($0) <- double',
      'int($0) <- string',
      'int($0) <- uint',
      '$0.getHours() <- timestamp',
      '$0.getFullYear() <- timestamp',
      '$0.getDayOfYear() <- timestamp',
      '$0.getMinutes() <- duration',
      'int($0) <- duration',
      'int($0) <- timestamp',
      '$0.compareTo($1) <- quantity quantity',
      '$0.asInteger() <- quantity',
      'sign($0) <- quantity',
      '$0.family() <- ip',
      '$0.prefixLength() <- cidr',
      '$0.major() <- semver',
      '$0.compareTo($1) <- semver semver',
      '$0.orValue($1) <- optional int',
      '$0.indexOf($1, $2) <- string string int',
      "$0.getDayOfWeek('Europe/Berlin') <- timestamp",
      'size($0) <- bytes',
    ],
  },
  uint: {
    leaves: ['1u', '0u', '18446744073709551615u'],
    nodes: [
      '($0 + $1) <- uint uint',
      '($0 - $1) <- uint uint',
      'uint($0) <- int',
      '($0 / $1) <- uint uint',
      'uint($0) <- double',
    ],
  },
  double: {
    leaves: ['1.5', '-0.0', '1e300', '2.0', 'object.spec.ratio'],
    nodes: [
      '($0 + $1) <- double double',
      '($0 / $1) <- double double',
      '($0 * $1) <- double double',
      'double($0) <- int',
      'double($0) <- string',
      '-$0 <- double',
      '$0.asApproximateFloat() <- quantity',
    ],
  },
  string: {
    leaves: [
      "'a'",
      "''",
      "'web-1'",
      "'Ünï😀'",
      "'10.0.0.1'",
      "'100m'",
      "'1.2.3'",
      "'2026-01-02T03:04:05Z'",
      "'a,b,c'",
      "'https://example.com/a?b=c'",
      "'(['",
      'object.metadata.name',
      'request.namespace',
      'request.userInfo.username',
      'namespaceObject.metadata.name',
      "object.metadata.labels['a']",
      "r'\\d'",
      '"x\\ty"',
    ],
    nodes: [
      '($0 + $1) <- string string',
      '($0 ? $1 : $2) <- bool string string',
      '$0.substring($1) <- string int',
      '$0.substring($1, $2) <- string int int',
      '$0.replace($1, $2) <- string string string',
      '$0.lowerAscii() <- string',
      '$0.upperAscii() <- string',
      '$0.trim() <- string',
      '$0.charAt($1) <- string int',
      '$0.join($1) <- strings string',
      '$0.join() <- strings',
      'string($0) <- int',
      'string($0) <- double',
      'string($0) <- bool',
      'string($0) <- timestamp',
      'string($0) <- duration',
      'string($0) <- bytes',
      'string($0) <- uint',
      '$0.find($1) <- string string',
      "'%s-%d'.format([$0, $1]) <- string int",
      "'%.2f'.format([$0]) <- double",
      "'%s'.format([$0]) <- dyn",
      "'%x'.format([$0]) <- int",
      'strings.quote($0) <- string',
      '$0[$1] <- strings int',
      '$0[$1] <- map string',
      'string($0) <- ip',
      'string($0) <- cidr',
      '$0.getHost() <- url',
      '$0.getScheme() <- url',
      '$0.getEscapedPath() <- url',
      '$0.split($1)[$2] <- string string int',
      '$0.?a.orValue($1) <- map string',
      "$0.replace('a', $1, $2) <- string string int",
    ],
  },
  bytes: { leaves: ["b'a'", "b''", "b'\\xff'"], nodes: ['bytes($0) <- string', '($0 + $1) <- bytes bytes'] },
  ints: {
    leaves: ['[1, 2, 3]', '[]', '[3, 1, 2, 1]', 'object.spec.list', '[1, 2].map(x, x + 1)'],
    nodes: [
      '[$0, $1] <- int int',
      '($0 + $1) <- ints ints',
      '$0.map(x, x * $1) <- ints int',
      '$0.filter(x, x > $1) <- ints int',
      '$0.map(x, x > $1, x - 1) <- ints int',
      '$0.sort() <- ints',
      '$0.reverse() <- ints',
      '$0.distinct() <- ints',
      '$0.slice($1, $2) <- ints int int',
      '[$0, $1].flatten() <- ints ints',
      'lists.range($0 % 20) <- int',
      '$0.transformList(i, x, x + i) <- ints',
      '$0.sortBy(x, -x) <- ints',
      '[?$0] <- optional',
    ],
  },
  strings: {
    leaves: ["['a', 'b']", "['b', 'a', 'b']", 'request.userInfo.groups', 'object.spec.names'],
    nodes: [
      '[$0, $1] <- string string',
      '$0.split($1) <- string string',
      '$0.split($1, $2) <- string string int',
      '$0.map(x, x + $1) <- strings string',
      '$0.filter(x, x != $1) <- strings string',
      '$0.findAll($1) <- string string',
      '$0.sort() <- strings',
      '$0.distinct() <- strings',
    ],
  },
  map: {
    leaves: [
      "{'a': 'x'}",
      '{}',
      "{'a': 'x', 'b': 'y'}",
      'object.metadata.labels',
      'object.metadata.annotations',
    ],
    nodes: [
      "{'a': $0} <- string",
      '{$0: $1} <- string string',
      "{?'a': optional.of($0)} <- string",
      '$0.transformMap(k, v, v + $1) <- map string',
      '$0.transformMap(k, v, v != $1, v) <- map string',
    ],
  },
  dyn: {
    leaves: [
      'dyn(1)',
      'object.spec.any',
      'object.spec.containers[0].image',
      'object',
      'oldObject',
      'null',
      'object.spec.nothing',
      'dyn([])',
      'params',
      "object['spec']['list'][0]",
    ],
    nodes: [
      'dyn($0) <- int',
      'dyn($0) <- string',
      'dyn($0) <- double',
      'dyn($0) <- ints',
      '($0 ? dyn($1) : dyn($2)) <- bool int string',
      'object.spec.list[$0] <- int',
      'object.metadata.labels[$0] <- string',
      '($0 + $1) <- dyn dyn',
      '$0.a <- dyn',
      '$0[$1] <- dyn int',
      'dyn($0) <- map',
      'object.spec.containers.map(c, c.name + $0) <- string',
      'object.spec.containers.filter(c, c.name == $0) <- string',
    ],
  },
  timestamp: {
    leaves: ["timestamp('2026-01-02T03:04:05Z')", "timestamp('2024-02-29T23:59:59.5+02:00')", 'timestamp(0)'],
    nodes: [
      '($0 + $1) <- timestamp duration',
      '($0 - $1) <- timestamp duration',
      'timestamp($0) <- string',
      'timestamp($0) <- int',
    ],
  },
  duration: {
    leaves: ["duration('1h30m')", "duration('1.5s')", "duration('-10ms')"],
    nodes: [
      '($0 + $1) <- duration duration',
      '($0 - $1) <- timestamp timestamp',
      'duration($0) <- string',
      '($0 - $1) <- duration duration',
    ],
  },
  optional: {
    leaves: [
      'optional.of(5)',
      'optional.none()',
      'object.?spec.?replicas',
      'object.?nothing.?x',
      '[1, 2][?5]',
    ],
    nodes: [
      'optional.of($0) <- int',
      'optional.ofNonZeroValue($0) <- int',
      '$0.or($1) <- optional optional',
      '$0.optMap(x, x + $1) <- optional int',
      '$0[?$1] <- ints int',
      '$0.optFlatMap(x, optional.of(x)) <- optional',
    ],
  },
  quantity: {
    leaves: ["quantity('1')", "quantity('1.5Gi')", "quantity('100m')", "quantity('1e3')"],
    nodes: ['quantity($0) <- string', '$0.add($1) <- quantity quantity', '$0.sub($1) <- quantity int'],
  },
  ip: {
    leaves: ["ip('10.0.0.1')", "ip('::1')", "ip('fe80::1')"],
    nodes: ['ip($0) <- string', '$0.ip() <- cidr'],
  },
  cidr: {
    leaves: ["cidr('10.0.0.0/8')", "cidr('192.168.1.7/24')", "cidr('2001:db8::/32')"],
    nodes: ['cidr($0) <- string', '$0.masked() <- cidr'],
  },
  url: { leaves: ["url('https://example.com:80/a?b=c')", "url('/path')"], nodes: ['url($0) <- string'] },
  semver: {
    leaves: ["semver('1.2.3')", "semver('2.0.0-rc.1+5')", "semver('v1.2', true)"],
    nodes: ['semver($0) <- string', 'semver($0, $1) <- string bool'],
  },
};

const OBJECTS = [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      labels: { a: 'x', app: 'web' },
      annotations: { note: 'ä' },
    },
    spec: {
      on: true,
      replicas: 3,
      ratio: 1.5,
      list: [3, 1, 2],
      names: ['b', 'a'],
      any: { a: 1 },
      containers: [
        { name: 'web', image: 'web:1' },
        { name: 'proxy', image: 'proxy' },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'bare', labels: {} },
    spec: { on: 'yes', list: [], any: null, containers: [] },
  },
] as const;

const REQUEST = {
  uid: '',
  kind: { group: '', version: 'v1', kind: 'Pod' },
  resource: { group: '', version: 'v1', resource: 'pods' },
  requestKind: { group: '', version: 'v1', kind: 'Pod' },
  requestResource: { group: '', version: 'v1', resource: 'pods' },
  name: 'web-1',
  namespace: 'shop',
  operation: 'CREATE',
  userInfo: { username: 'ann', uid: 'u1', groups: ['dev', 'ops'] },
  object: null,
  oldObject: null,
  dryRun: false,
  options: null,
};

const NAMESPACE = {
  metadata: { name: 'shop', labels: { team: 'a' } },
  spec: {},
  status: { phase: 'Active' },
};
