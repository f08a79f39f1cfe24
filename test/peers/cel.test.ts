import { readFileSync } from 'node:fs';
import { tests as conformanceSuite } from '@bufbuild/cel-spec/testdata/conformance.js';
import { describe, expect, it } from 'vitest';
import { CelError } from '../../src/cel/cel-error.ts';
import { compile } from '../../src/cel/compile.ts';
import { CelCompileError } from '../../src/cel/compile-error.ts';
import { kubernetesEnvironment } from '../../src/cel/kubernetes-environment.ts';
import { type CelCase, decoded, runCase, runMutationCase } from './cel-case.ts';
import { conformanceTests, tagConformanceValue } from './cel-conformance.ts';
import { tagValue } from './cel-values.ts';
import { peersFolder } from './peers-folder.ts';

const folder = peersFolder('cel');
const { objects, cases } = read<{ objects: Record<string, unknown>; cases: CelCase[] }>('cases.json');
const { holds, differs } = read<{ holds: string[]; differs: Record<string, readonly unknown[]> }>(
  'conformance.json',
);

describe.skipIf(folder === undefined)("Kubernetes' answers", () => {
  it('cover every part of the language', () => {
    expect(cases.length).toBeGreaterThan(1000);
    expect(new Set(cases.map(({ topic }) => topic)).size).toBeGreaterThan(30);
  });

  it.each(cases)('$name', (each) => {
    const { compileError, error, value, type, cost } = each.expect;
    const outcome = runCase(each, objects);
    if (compileError !== undefined) {
      expect(problemOf(outcome)).toBe(comparable(compileError));
      return;
    }
    expect(outcome).toMatchObject({ type });
    if (value !== undefined) expect(outcome).toHaveProperty('value', value);
    else expect(outcome).toHaveProperty('error', withoutPrefix(each.expression, error ?? ''));
    if (cost === undefined) return;
    // A case that hits a limit must hit it here, too; below, only the order of magnitude counts.
    expect(outcome.cost > COST_LIMIT).toBe(cost > COST_LIMIT);
    expect(outcome.cost).toBeGreaterThanOrEqual(Math.floor(cost / 2));
    expect(outcome.cost).toBeLessThanOrEqual(Math.max(cost * 2, cost + 1));
  });
});

describe.skipIf(folder === undefined)('objects after mutations', () => {
  const mutations = cases.filter(({ kind, expect: { object, error, value } }) => {
    return kind === 'mutation' && (object !== undefined || (error !== undefined && value !== undefined));
  });

  it('fewer than 2 in 100 cases are left out, and each is one of them', () => {
    const names = mutations.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(100);
    expect(Object.keys(leftOut).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(leftOut).length / cases.length).toBeLessThan(0.02);
  });

  it.each(mutations.filter(({ name }) => !(name in leftOut)))('$name', (each) => {
    const { object, error = '' } = each.expect;
    const outcome = runMutationCase(each, objects);
    if (object !== undefined) expect(outcome).toEqual({ object: decoded(object) });
    else expect('error' in outcome && withoutInternals(outcome.error)).toBe(withoutInternals(error));
  });
});

describe.skipIf(folder === undefined)("cel-spec's conformance tests that hold in Kubernetes", () => {
  const tests = conformanceTests(conformanceSuite);
  const environment = kubernetesEnvironment();

  it('are all except those that differ for a reason', () => {
    expect(holds.filter((name) => !tests.has(name))).toEqual([]);
    expect(holds.length).toBeGreaterThan(1300);
    expect(Object.keys(differs).toSorted()).toEqual(REASONS.toSorted());
  });

  it.each(Array.from(new Set(holds)))('%s', (name) => {
    const { expr, value, evalError, typedResult } = tests.get(name) ?? { expr: '' };
    const run = () => tagValue(compile(expr, environment).evaluate({}));
    if (evalError === undefined) {
      expect(run()).toEqual(tagConformanceValue(value ?? typedResult?.result ?? { boolValue: true }));
      return;
    }
    // Constant conversions fail when compiling, and type errors too.
    expect(run).toThrow(
      expect.toSatisfy((e: unknown) => e instanceof CelError || e instanceof CelCompileError),
    );
  });
});

const UNTYPED =
  'the answer is an untyped object; the API server and we refuse the field or value when a Pod is decoded';

/** Cases of mutations that differ, and why. */
const leftOut: { readonly [name: string]: string } = {
  'apply-int-as-fraction': UNTYPED,
  'apply-probe-port-double': UNTYPED,
  'jsonpatch-value-double': UNTYPED,
  'jsonpatch-value-uint': UNTYPED,
  'jsonpatch-value-timestamp': UNTYPED,
  'jsonpatch-path-no-slash': UNTYPED,
};

const COST_LIMIT = 1_000_000;

/** Why Kubernetes departs from cel-spec. */
const REASONS = [
  'type-checker-refuses',
  'library-absent',
  'no-backtick-names',
  'duplicate-keys-allowed',
  'optional-select-through-scalar-is-none',
  'needs-test-proto',
  'older-strings-library',
];

function read<T extends object>(file: string): T {
  const empty = { objects: {}, cases: [], holds: [], differs: {} };
  return folder === undefined
    ? (empty as unknown as T)
    : JSON.parse(readFileSync(`${folder}/${file}`, 'utf8'));
}

/** The first line of a compile error. Constant parts that fail may do so at run time as well. */
function problemOf(outcome: ReturnType<typeof runCase>): string {
  if ('compileError' in outcome) return comparable(outcome.compileError);
  return 'error' in outcome ? `program instantiation failed: ${outcome.error}` : JSON.stringify(outcome);
}

/** The text of a syntax error is that of a parser generator: only its position counts. */
function comparable(compileError: string): string {
  const [line = ''] = compileError.split('\n');
  return line.replace(/(:\d+: Syntax error):.*/, '$1');
}

/** Without the values of Go that an error shows. Messages of protobuf have spaces that vary from build to build. */
function withoutInternals(error: string): string {
  return error.replace(/(, got ).*$/s, '$1').replaceAll('\u00a0', ' ');
}

function withoutPrefix(expression: string, error: string): string {
  const prefix = `expression '${expression}' resulted in error: `;
  return error.startsWith(prefix) ? error.slice(prefix.length) : error;
}
