import { describe, expect, test } from 'vitest';
import { func } from './func.ts';
import { int, intOf, named, stringMap, struct, structType, typedMap, typedSlice } from './host-values.ts';
import { sprigFunctions } from './sprig/functions.ts';
import { execute, parseTemplate } from './template.ts';
import type { Value } from './values.ts';

const functions = {
  ...sprigFunctions(),
  nameOf: func('func(v1.Thing) string', (thing: { raw: { name: string } }) => thing.raw.name),
};

function render(text: string, data: Value): string {
  return execute(parseTemplate('t', text, { functions }), data);
}

interface Raw {
  readonly name: string;
  readonly labels?: Record<string, string>;
}

describe('struct types', () => {
  const reads: string[] = [];
  const thing = structType<Raw>({
    name: 'v1.Thing',
    fields: {
      Name: (raw) => {
        reads.push(raw.name);
        return raw.name;
      },
      Labels: (raw) => stringMap(raw.labels),
    },
    methods: { GetName: (raw) => raw?.name ?? 'nobody' },
    json: (raw) => ({ name: raw.name }),
  });

  test('compute a field once, when a template first reads it', () => {
    reads.length = 0;
    const value = thing.of({ name: 'web' });
    expect(reads).toEqual([]);
    expect(render('{{ .Name }} {{ .Name }}', value)).toBe('web web');
    expect(reads).toEqual(['web']);
  });

  test('report unknown fields and fields of nil pointers', () => {
    expect(() => render('{{ .Nope }}', thing.of({ name: 'web' }))).toThrow(
      "can't evaluate field Nope in type v1.Thing",
    );
    expect(() => render('{{ .Nope }}', thing.pointer(null))).toThrow(
      "can't evaluate field Nope in type *v1.Thing",
    );
    expect(() => render('{{ .Name }}', thing.pointer(null))).toThrow('nil pointer evaluating *v1.Thing.Name');
  });

  test('have methods that work on a nil pointer', () => {
    expect(render('{{ .GetName }} {{ if . }}set{{ else }}nil{{ end }}', thing.pointer(null))).toBe(
      'nobody nil',
    );
  });

  test('print like Go structs and encode by `json`', () => {
    expect(render('{{ . }} {{ printf "%+v" . }} {{ toJson . }}', thing.pointer({ name: 'web' }))).toBe(
      '{web map[]} &{Name:web Labels:map[]} {"name":"web"}',
    );
  });

  test('are accepted as arguments of their Go type, also by pointer', () => {
    expect(render('{{ nameOf . }}', thing.of({ name: 'web' }))).toBe('web');
    expect(render('{{ nameOf . }}', thing.pointer({ name: 'web' }))).toBe('web');
    expect(() => render('{{ nameOf . }}', 'web')).toThrow(
      'wrong type for value; expected v1.Thing; got string',
    );
    expect(() => render('{{ nameOf . }}', thing.pointer(null))).toThrow(
      'dereference of nil pointer of type v1.Thing',
    );
  });

  test('can be made for a single value', () => {
    expect(render('{{ .A }} {{ . }}', struct('main.Pair', { A: 'x', B: int(2) }))).toBe('x {x 2}');
  });
});

describe('numbers', () => {
  test('are float64 by default', () => {
    const data = { json: 1000000, int: int(1000000), small: intOf('int32', 5) };
    expect(render('{{ .json }} {{ .int }} {{ eq .small 5 }} {{ typeOf .small }}', data)).toBe(
      '1e+06 1000000 true int32',
    );
    expect(() => render('{{ eq .json 1000000 }}', data)).toThrow(
      'incompatible types for comparison: float64 and int',
    );
  });
});

describe('typed maps and slices', () => {
  test('return the zero value for missing keys', () => {
    const data = { s: stringMap({ a: 'x' }), none: stringMap(undefined), i: typedMap('int', {}) };
    expect(render('[{{ index .s "b" }}{{ index .none "b" }}{{ index .i "b" }}] {{ .s.b }}', data)).toBe(
      '[0] <no value>',
    );
  });

  test('are empty if they are nil', () => {
    expect(
      render('{{ range . }}x{{ else }}none{{ end }} {{ len . }} {{ toJson . }}', typedSlice('string', null)),
    ).toBe('none 0 null');
  });
});

describe('named types', () => {
  test('print by their String method and compare by value', () => {
    const mode = named('mesh.Mode', intOf('int32', 1), { String: () => 'TPROXY' });
    expect(render('{{ . }} {{ eq . 1 }} {{ .String }} {{ printf "%d" . }} {{ quote . }}', mode)).toBe(
      'TPROXY true TPROXY 1 "TPROXY"',
    );
    expect(render('{{ eq . "TCP" }} {{ typeOf . }}', named('v1.Protocol', 'TCP'))).toBe('true v1.Protocol');
  });
});
