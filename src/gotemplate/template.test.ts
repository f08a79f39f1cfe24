import { describe, expect, test } from 'vitest';
import { func } from './func.ts';
import { int, json } from './host-values.ts';
import type { Budget } from './meter.ts';
import { sprigFunctions } from './sprig/functions.ts';
import { execute, parseTemplate } from './template.ts';
import { TemplateError } from './template-error.ts';
import type { Value } from './values.ts';

const functions = sprigFunctions();

function render(text: string, data?: Value, budget?: Partial<Budget>): string {
  return execute(parseTemplate('t', text, { functions }), data, budget === undefined ? {} : { budget });
}

function failure(work: () => unknown): TemplateError {
  try {
    work();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('expected a TemplateError');
}

describe('parsing', () => {
  test('reports template, line, column and action of an unknown function', () => {
    const error = failure(() => parseTemplate('pod', 'a\n  {{ .x | nope }}\n'));
    expect(error.message).toBe(
      'template: pod:2:10: parsing at <{{ .x | nope }}>: function "nope" not defined',
    );
    expect(error).toMatchObject({
      phase: 'parse',
      template: 'pod',
      line: 2,
      column: 10,
      action: '{{ .x | nope }}',
    });
  });

  test('lets functions replace builtins', () => {
    const template = parseTemplate('t', '{{ len "abc" }}', {
      functions: { len: func('func(string) string', () => 'mine') },
    });
    expect(execute(template, undefined)).toBe('mine');
  });

  test('ignores properties that the function map inherits', () => {
    expect(failure(() => parseTemplate('t', '{{ toString }}')).reason).toBe(
      'function "toString" not defined',
    );
    expect(failure(() => parseTemplate('t', '{{ constructor }}')).reason).toBe(
      'function "constructor" not defined',
    );
  });

  test('rejects templates that are nested too deeply for the stack', () => {
    expect(failure(() => render('{{if 1}}'.repeat(20_000))).reason).toBe('max expression depth exceeded');
    expect(failure(() => render(`{{${'('.repeat(20_000)}`)).reason).toBe('max expression depth exceeded');
  });
});

describe('executing', () => {
  test('executes a template many times without shared state', () => {
    const template = parseTemplate('t', '{{ $x := 0 }}{{ range . }}{{ $x = . }}{{ end }}{{ $x }}');
    expect([execute(template, [1, 2]), execute(template, []), execute(template, [3])]).toEqual([
      '2',
      '0',
      '3',
    ]);
  });

  test('can execute a defined template', () => {
    const template = parseTemplate('t', '{{ define "part" }}<{{ . }}>{{ end }}whole');
    expect(execute(template, 'x', { template: 'part' })).toBe('<x>');
    expect(failure(() => execute(template, 'x', { template: 'other' })).reason).toContain(
      'no template "other"',
    );
  });

  test('reports template, line, column and action of an unknown field', () => {
    const error = failure(() => render('a\n {{ .x.y }}', { x: 'text' }));
    expect(error.message).toBe(
      'template: t:2:6: executing "t" at <.x.y>: can\'t evaluate field y in type interface {}',
    );
    expect(error).toMatchObject({ phase: 'execute', line: 2, column: 6, action: '.x.y' });
  });

  test('keeps the error of a host function as its cause', () => {
    const cause = new Error('unknown thing');
    const template = parseTemplate('t', '{{ find }}', {
      functions: {
        find: func('func() string', () => {
          throw cause;
        }),
      },
    });
    const error = failure(() => execute(template, undefined));
    expect(error.reason).toBe('error calling find: unknown thing');
    expect(error.cause).toBe(cause);
  });

  test('ignores inherited properties', () => {
    expect(render('{{ .constructor }} {{ .__proto__ }} {{ .toString }}', {})).toBe(
      '<no value> <no value> <no value>',
    );
    expect(render('{{ .__proto__.x }}', json(JSON.parse('{"__proto__":{"x":1}}')))).toBe('1');
    expect(failure(() => render('{{ .length }}', [1])).reason).toContain("can't evaluate field length");
  });

  test('does not change the data', () => {
    const data = Object.freeze({ m: Object.freeze({ a: 1 }), l: Object.freeze([1]) }) as Value;
    expect(
      render('{{ merge .m (dict "b" 2) }} {{ append .l 2 }} {{ set (deepCopy .m) "c" 3 }} {{ .m }}', data),
    ).toBe('map[a:1 b:2] [1 2] map[a:1 c:3] map[a:1]');
    expect(failure(() => render('{{ set .m "b" 2 }}', data)).reason).toContain(
      "cannot change the template's data",
    );
    expect(failure(() => render('{{ unset .m "a" }}', data)).reason).toContain(
      "cannot change the template's data",
    );
  });
});

describe('the budget', () => {
  test.each([
    [
      'endless recursion',
      '{{ define "a" }}{{ template "a" . }}{{ end }}{{ template "a" . }}',
      'maximum template depth (500)',
    ],
    ['a long loop', '{{ range 100000000 }}{{ end }}', 'exceeded the budget of 200000 steps'],
    ['nested loops', '{{ range until 2000 }}{{ range until 2000 }}{{ end }}{{ end }}', 'exceeded the budget'],
    ['a huge list', '{{ until 1000000000 }}', 'exceeded the budget'],
    ['a huge sequence', '{{ seq 1000000000 }}', 'exceeded the budget'],
    ['a huge repetition', '{{ repeat 1000000000 "abc" }}', 'output budget'],
    ['a huge indentation', '{{ indent 1000000000 "abc" }}', 'output budget'],
    ['a huge width', '{{ range until 10 }}{{ printf "%999999d" 1 }}{{ end }}', 'budget'],
    [
      'a doubling string',
      '{{ $x := "ab" }}{{ range until 60 }}{{ $x = print $x $x }}{{ end }}',
      'exceeded the',
    ],
    [
      'a doubling list',
      '{{ $x := list 1 }}{{ range until 60 }}{{ $x = concat $x $x }}{{ end }}',
      'exceeded the budget',
    ],
    [
      'a doubling tree',
      '{{ $x := dict }}{{ range until 60 }}{{ $x = dict "a" $x "b" $x }}{{ end }}{{ toJson $x }}',
      'exceeded the budget',
    ],
    [
      'a printed doubling tree',
      '{{ $x := list }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ $x }}',
      'exceeded the budget',
    ],
    [
      'a quoted doubling tree',
      '{{ $x := list }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ quote $x }}',
      'exceeded the budget',
    ],
    [
      'a doubling replacement',
      '{{ $x := "a" }}{{ range until 60 }}{{ $x = replace "a" "aa" $x }}{{ end }}',
      'exceeded the',
    ],
    [
      'a doubling tree in an error',
      '{{ $x := list }}{{ range until 60 }}{{ $x = list $x $x }}{{ end }}{{ eq $x $x }}',
      'exceeded the budget',
    ],
    [
      'repeated searches of a long text',
      '{{ $x := repeat 4000000 "a" }}{{ range until 9000 }}{{ $y := contains "b" $x }}{{ end }}',
      'exceeded the budget',
    ],
    [
      'a long text joined with itself',
      '{{ $x := repeat 1000000 "a" }}{{ $l := list $x $x $x $x $x $x }}{{ join "" $l }}',
      'output budget',
    ],
    ['a cyclic value', '{{ $x := dict }}{{ $_ := set $x "x" $x }}{{ toJson $x }}', 'nested too deeply'],
    ['a printed cyclic value', '{{ $x := dict }}{{ $_ := set $x "x" $x }}{{ $x }}', 'nested too deeply'],
    ['a quadratic search', '{{ regexFindAll "a.*b|a" (repeat 20000 "a") -1 }}', 'exceeded the budget'],
    [
      'a quadratic search of a long text',
      '{{ regexFindAll "a.*b|a" (repeat 1000000 "a") -1 }}',
      'exceeded the budget',
    ],
    [
      'a quadratic search for words',
      '{{ regexFindAll "foo[0-9]|a[bc]" (repeat 1000000 "ab") -1 }}',
      'exceeded the budget',
    ],
    [
      'a pattern with many active states',
      '{{ regexMatch "(?:x?){500}[yz]" (repeat 100000 "x") }}',
      'exceeded the budget',
    ],
    [
      'a pattern with a large program',
      '{{ regexMatch (repeat 200 "(abcde){1000}") "" }}',
      'exceeded the budget',
    ],
    ['a long pattern', '{{ regexMatch (repeat 50000 "[:a") "" }}', 'exceeded the budget'],
    [
      'a pattern with wide case-insensitive ranges',
      '{{ regexMatch (repeat 250 "(?i)[\\\\x{80}-\\\\x{1e943}]") "" }}',
      'exceeded the budget',
    ],
    [
      'repeated compilation',
      '{{ range until 10000 }}{{ $x := regexMatch "^(?:[a-z]{1,63}[.]){1,5}$" "a" }}{{ end }}',
      'exceeded the budget',
    ],
    [
      'a pattern with many groups',
      '{{ regexReplaceAll (repeat 5000 "(?:(a)|)") "aaaa" "$1" }}',
      'exceeded the budget',
    ],
    [
      'a doubling regular expression',
      '{{ $x := "a" }}{{ range until 60 }}{{ $x = regexReplaceAll "a" $x "$0$0" }}{{ end }}',
      'exceeded the',
    ],
    [
      'a replacement with many groups',
      '{{ regexReplaceAll "(a+)" (repeat 100000 "a") (repeat 100000 "$1") }}',
      'output budget',
    ],
    [
      'a literal replacement',
      '{{ $x := repeat 100000 "a" }}{{ regexReplaceAllLiteral "a" $x $x }}',
      'output budget',
    ],
    ['a long version constraint', '{{ semverCompare (repeat 1000000 "1") "1" }}', 'exceeded the budget'],
  ])('stops %s', (_title, text, reason) => {
    expect(failure(() => render(text)).reason).toContain(reason);
  });

  test('suffices for ordinary regular expressions', () => {
    const text = 'name=value '.repeat(5000);
    expect(render('{{ regexReplaceAll "([a-z]+)=([a-z]+)" . "$2=$1" | trunc 10 }}', text)).toBe('value=name');
    expect(
      render(
        '{{ range until 100 }}{{ regexFind "^([a-z0-9]{1,63}[.]){1,5}[a-z]{2,63}$" "a.b.cd" }}{{ end }}',
      ),
    ).toBe('a.b.cd'.repeat(100));
  });

  test('can be set by the caller', () => {
    expect(failure(() => render('{{ range 10 }}x{{ end }}', null, { steps: 10 })).reason).toContain(
      '10 steps',
    );
    expect(failure(() => render('{{ range 10 }}x{{ end }}', null, { output: 5 })).reason).toContain(
      '5 characters',
    );
    expect(render('{{ range . }}x{{ end }}', int(10), { steps: 50, output: 10 })).toBe('xxxxxxxxxx');
  });
});
