import { expect, test } from 'vitest';
import { CelError } from '../../src/cel/cel-error.ts';
import { compile } from '../../src/cel/compile.ts';
import { CelCompileError } from '../../src/cel/compile-error.ts';
import { CostError } from '../../src/cel/cost-error.ts';
import { kubernetesEnvironment } from '../../src/cel/kubernetes-environment.ts';
import { COST_LIMIT, type Program } from '../../src/cel/program.ts';
import { toJson } from '../../src/cel/to-json.ts';
import { spentWork } from '../../src/cel/work.ts';
import { callsOf, canBeCalled } from './calls.ts';
import { randomFrom } from './random.ts';
import { randomExpression } from './random-expression.ts';

const seed = Number(process.env.FUZZ_SEED ?? 1);
const runs = Number(process.env.FUZZ_EXPRESSIONS ?? 5_000);
/** How much slower this machine may be than the one that the limit was measured on: CI shares its cores. */
const SLOWDOWN = Number(process.env.FUZZ_SLOWDOWN ?? 5);
const MOST_MILLISECONDS = 50 * SLOWDOWN;

const environment = kubernetesEnvironment({ mutation: true, variables: {} });

const ORDINARY = {
  metadata: { name: 'w', labels: { app: 'web' } },
  spec: {
    list: [1, 2, 3],
    map: { a: 1, b: 2 },
    text: 'hello',
    nothing: null,
    pattern: '(a|b)*c',
    long: 'abc',
    many: ['a', 'b'],
    wide: { x: 1 },
    deep: [[[1]]],
    when: '2026-02-28T13:00:00Z',
    addr: '10.1.2.3',
    containers: [{ name: 'c', resources: { limits: { memory: '1Gi' } } }],
    volumes: [{ name: 'data', emptyDir: {} }],
  },
};

/** The largest and most awkward objects. */
const HOSTILE = {
  metadata: { name: 'a'.repeat(1000), labels: Object.fromEntries(numbers(2000).map((i) => [`k${i}`, 'v'])) },
  spec: {
    ...ORDINARY.spec,
    list: numbers(20_000),
    map: Object.fromEntries(numbers(20_000).map((i) => [`k${i}`, i])),
    text: `${'a'.repeat(100_000)}!`,
    pattern: `${'(a?){20}'.repeat(20)}a{200}[b-d]$`,
    long: 'ab'.repeat(500_000),
    copy: JSON.parse(JSON.stringify('ab'.repeat(500_000))),
    digits: '7'.repeat(50_000),
    many: numbers(50_000).map((i) => `a${i % 7}`),
    wide: Object.fromEntries(numbers(50_000).map((i) => [i, [i]])),
    deep: numbers(5000).reduce<unknown>((inner) => [inner, inner === 1 ? 1 : 2], 1),
  },
};

const OBJECTS = [ORDINARY, HOSTILE, null, [1], 'text', { spec: 'x' }];

test(`${runs} expressions end in a value or an error of CEL, within their limits, seed ${seed}`, () => {
  const problems: string[] = [];
  let compiled = 0;
  let evaluated = 0;
  for (let index = 0; index < runs && problems.length < 5; index++) {
    const random = randomFrom(seed, index, 3);
    const expression = randomExpression(random);
    const note = (problem: string | undefined) => {
      if (problem !== undefined) problems.push(`#${index}: ${problem}: ${JSON.stringify(expression)}`);
    };
    let program: Program | undefined;
    note(
      timed(() => {
        program = compiledOrRefused(expression);
      }),
    );
    if (program === undefined) continue;
    compiled++;
    for (const object of [ORDINARY, HOSTILE, random.pick(OBJECTS)]) {
      const { evaluate } = program;
      note(
        timed(() => {
          if (evaluatedOrFailed(evaluate, object)) evaluated++;
        }),
      );
    }
  }
  expect(problems).toEqual([]);
  expect(compiled).toBeGreaterThan(runs / 5);
  expect(evaluated).toBeGreaterThan(runs / 10);
});

test.each(
  [
    "object.spec.text.matches('^(a+)+$')",
    'object.spec.text.matches(object.spec.pattern)',
    'object.spec.text.find(object.spec.pattern)',
    "object.spec.text.findAll('a.*?b|a')",
    "object.spec.long.findAll('(a|b)*a(a|b){30}[c-z]|b')",
    "object.spec.long.findAll('')",
    "object.spec.many.all(x, object.spec.long.findAll('').size() > 0)",
    'object.spec.many.all(x, bytes(object.spec.long).size() > 0)',
    'object.spec.many.all(x, int(object.spec.digits) > 0)',
    'object.spec.many.exists(x, uint(object.spec.digits) > 0u)',
    'object.spec.many.exists(x, double(object.spec.digits) > 0.0)',
    'object.spec.many.exists(x, bool(x))',
    "object.spec.many.all(x, url('/?' + object.spec.long).getQuery().size() > 0)",
    "object.spec.many.all(x, url('/?' + object.spec.digits).getQuery().size() > 0)",
    "object.spec.many.all(x, url('/' + object.spec.long).getEscapedPath() != x)",
    "object.spec.long.replace('', '-')",
    "object.spec.many.all(x, object.spec.long.replace('', '-') != x)",
    "object.spec.long.split('')",
    "object.spec.many.all(x, object.spec.long.split('').size() > 0)",
    "object.spec.many.all(x, '%.9999999e'.format([1.5]) != x)",
    "object.spec.many.all(x, '%.1074f'.format([1e-300]) != x)",
    'object.spec.many.exists(x, [?dyn(object.spec.many)].size() > 0)',
    'object.spec.many.transformMapEntry(i, v, {object.spec.many: v}).size() > 0',
    `[?dyn([0]${'.map(x, [x, x])'.repeat(40)})]`,
    `[0]${'.map(x, [x, x])'.repeat(40)}`,
    `dyn([0]${'.map(x, [x, x])'.repeat(40)}).sum()`,
    `dyn([0]${'.map(x, [x, x])'.repeat(40)}).indexOf(1)`,
    'object.spec.many.all(x, object.spec.map[?dyn(object.spec.long) + dyn(x)] == optional.none())',
    'object.spec.many.all(x, !(object.spec.long in {1: 2}))',
    'object.spec.many.all(x, [object.spec.long] == [object.spec.copy])',
    "object.spec.many.all(x, quantity('1e10000').isGreaterThan(quantity('1')))",
    "[quantity('9'.replace('', '9999999999').replace('', '999'))].all(q, object.spec.many.all(x, q.add(q).isGreaterThan(q)))",
    "object.spec.many.exists(x, timestamp('2026-01-01T00:00:00Z').getHours('Europe/' + x) > 23)",
    'object.spec.many.all(x, x.matches(x + object.spec.pattern))',
    'object.spec.many.all(x, object.spec == object.spec)',
    'object.spec.many.all(x, size(object.spec.wide) > 0 && object.spec.wide.exists(k, true))',
    'object.spec.many.all(x, x in object.spec.many || true)',
    'object.spec.many.all(x, object.spec.long.charAt(99999) < object.spec.long)',
    "object.spec.many.all(x, '%s'.format([object]) != x)",
    "object.spec.many.map(x, ''.replace('', object.spec.long)).size()",
    'object.spec.many.map(x, object.spec.many).flatten().size()',
    'object.spec.many.distinct().size()',
    'object.spec.wide.map(k, k).sort().size()',
    'sets.equivalent(object.spec.many, object.spec.many)',
    `[object.spec.long]${'.map(x, x + x)'.repeat(40)}.size()`,
    `[object.spec.many]${'.map(x, x + x)'.repeat(40)}.size()`,
    'lists.range(1000000000).size()',
    "object.spec.many.all(x, quantity('1' + x.replace('a', '')).isInteger())",
    "object.spec.many.all(x, timestamp('2026-01-01T00:00:00Z').getHours('Europe/Berlin') >= 0)",
    "quantity('9'.replace('', '9999999999') + object.spec.long.replace('ab', '9')).isInteger()",
    'object.spec.deep.flatten(100000).size()',
    'object.spec.deep == object.spec.deep',
    `optional.of(1)${'.optMap(x, x)'.repeat(200)}.hasValue()`,
    `1${' + 1'.repeat(250)}`,
    `${'[0].map(a, '.repeat(100)}1${')'.repeat(100)}`,
    `${"'a' in object.spec.many || ".repeat(2000)}true`,
    'object.spec.many.exists(x, object.spec.many.exists(y, 1 / 0 == 1))',
  ].map((expression) => ({ expression, title: expression.slice(0, 80) })),
)('$title ends in time', ({ expression }) => {
  const program = compiledOrRefused(expression);
  const evaluate = () => {
    if (program !== undefined) evaluatedOrFailed(program.evaluate, HOSTILE);
  };
  expect(timed(evaluate)).toBeUndefined();
});

const { functions } = environment;

test.each(Array.from(functions.values()).filter(canBeCalled))(
  '$name ends in time in a loop, and counts its work',
  (declaration) => {
    const problems: string[] = [];
    for (const { title, overload, expression, environment, bindings, length } of callsOf(declaration)) {
      const call = compiledOrRefused(expression, environment);
      const loop = compiledOrRefused(`object.all(x, [${expression}].size() > 0)`, environment);
      if (call === undefined || loop === undefined) continue;
      const outcome = outcomeOf(() => call.evaluate(bindings));
      const isCounted = spentWork() >= length / 100 || outcome === new CostError().message;
      if (!isCounted && !CONSTANT_TIME.has(overload)) problems.push(`${title}: counts ${spentWork()} units`);
      const time = timed(() => outcomeOf(() => loop.evaluate({ ...bindings, object: HOSTILE.spec.many })));
      if (time !== undefined) problems.push(`${title}: ${time}`);
    }
    expect(problems).toEqual([]);
  },
);

/** These take the same time for arguments of any length, or always cost what it takes to read them. */
const CONSTANT_TIME: ReadonlySet<string> = new Set(
  (
    'conditional equals not_equals index_list index_map optional_list_index_int optional_map_index_value ' +
    'list_optindex_optional_int optional_list_optindex_optional_int map_optindex_optional_value ' +
    'optional_map_optindex_optional_value in_map bytes_size size_bytes list_size size_list type to_dyn bytes_to_bytes ' +
    'string_to_string optional_of optional_ofNonZeroValue optional_orValue_value list_first list_last'
  ).split(' '),
);

/** The best of several runs must be fast enough. */
function timed(run: () => void): string | undefined {
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 4 && best > MOST_MILLISECONDS; attempt++) {
    const before = process.cpuUsage();
    try {
      run();
    } catch (error) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best > MOST_MILLISECONDS ? `took ${Math.round(best)} ms` : undefined;
}

function compiledOrRefused(expression: string, within = environment): Program | undefined {
  try {
    return compile(expression, within);
  } catch (error) {
    if (error instanceof CelCompileError) return undefined;
    throw error;
  }
}

/** The value or message of an evaluation. */
function outcomeOf(evaluate: () => unknown): unknown {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}

/** Whether there was a value; checks that it is within the limit, and is JSON or fails to convert. */
function evaluatedOrFailed(evaluate: Program['evaluate'], object: unknown): boolean {
  const budget = { remaining: 10 * COST_LIMIT };
  try {
    const value = evaluate(
      { object, oldObject: null, request: {}, namespaceObject: null, variables: {} },
      budget,
    );
    expect(10 * COST_LIMIT - budget.remaining).toBeLessThanOrEqual(COST_LIMIT);
    toJson(value);
    return true;
  } catch (error) {
    if (error instanceof CelError) return false;
    throw error;
  }
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i);
}
