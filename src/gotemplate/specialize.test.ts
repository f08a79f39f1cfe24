import { describe, expect, test } from 'vitest';
import { structType } from './host-values.ts';
import { nodeText } from './nodes.ts';
import { sprigFunctions } from './sprig/functions.ts';
import { execute, parseTemplate, specializeTemplate } from './template.ts';
import type { Value } from './values.ts';

const functions = sprigFunctions();
const known = {
  fields: new Set(['Values']),
  lookups: { index: 'Meta.Labels' },
  isKnownKey: (key: string) => key !== 'version',
};
const data = (name: string, labels: Record<string, string> = { app: 'shop' }): Value => ({
  Values: { on: true, off: false, hub: 'docker.io', list: ['a', 'b'], none: null },
  Meta: { Labels: labels, Name: name },
});

/** The actions that are left, and what they render for other data. */
function specialized(text: string, other: Value = data('other')): { left: string; output: string } {
  const template = parseTemplate('t', text, { functions });
  const special = specializeTemplate(template, data('first'), known);
  const output = execute(special, other);
  expect(output).toBe(execute(template, other));
  return { left: (special.trees.get('t') ?? []).map(nodeText).join(''), output };
}

describe('a specialized template', () => {
  test.each([
    ['{{ .Values.hub | upper }}/{{ .Meta.Name }}', 'DOCKER.IO/{{.Meta.Name}}', 'DOCKER.IO/other'],
    ['{{ if .Values.on }}x{{ .Meta.Name }}{{ else }}y{{ end }}', 'x{{.Meta.Name}}', 'xother'],
    [
      '{{ range .Values.list }}{{ . }}{{ end }}{{ with .Values.hub }}{{ . }}{{ end }}',
      'abdocker.io',
      'abdocker.io',
    ],
    ['{{ index .Meta.Labels "app" }}', 'shop', 'shop'],
    ['{{ if index .Meta.Labels "none" }}a{{ else if .Values.off }}b{{ else }}c{{ end }}', 'c', 'c'],
    [
      '{{ index .Meta.Labels "version" }}{{ .Values.hub }}',
      '{{index .Meta.Labels "version"}}docker.io',
      '<no value>docker.io',
    ],
    ['{{ define "d" }}{{ .Values.hub }}{{ end }}{{ template "d" . }}', 'docker.io', 'docker.io'],
    ['{{ if .Meta.Name }}{{ .Values.hub }}{{ end }}', '{{if .Meta.Name}}docker.io{{end}}', 'docker.io'],
  ])('evaluates the known parts of %s', (text, left, output) => {
    expect(specialized(text)).toEqual({ left, output });
  });

  test.each([
    ['a variable that changes', '{{ $x := 1 }}{{ range .Values.list }}{{ $x = 2 }}{{ end }}{{ $x }}', '2'],
    [
      'a variable of an inner scope',
      '{{ $x := .Meta.Name }}{{ if .Values.on }}{{ $x := 1 }}{{ end }}{{ $x }}',
      'other',
    ],
    [
      'a dictionary that is filled',
      '{{ $d := dict }}{{ if hasKey $d "a" }}again{{ end }}{{ $_ := set $d "a" 1 }}{{ len $d }}',
      '1',
    ],
    ['a field of another dot', '{{ with .Meta }}{{ .Values }}{{ end }}', '<no value>'],
    [
      'a template with another dot, by a pipeline',
      '{{ define "d" }}{{ .Values }}{{ end }}{{ template "d" . | dict "Meta" }}',
      '<no value>',
    ],
    [
      'a template with another dot',
      '{{ define "d" }}{{ .Values }}{{ end }}{{ template "d" .Meta }}',
      '<no value>',
    ],
    ['a root that is set', '{{ $ = .Meta }}{{ $.Values }}', '<no value>'],
    ['a loop that is left', '{{ range .Meta.Labels }}{{ if $.Values.on }}{{ break }}{{ end }}x{{ end }}', ''],
    ['a variable of a branch', '{{ if .Values.on }}{{ $x := .Meta.Name }}{{ $x }}{{ end }}', 'other'],
    [
      'a template that calls itself',
      '{{ define "d" }}{{ .Values.hub }}{{ if .Values.off }}{{ template "d" . }}{{ end }}{{ end }}{{ template "d" . }}',
      'docker.io',
    ],
    [
      'the text itself with another dot',
      '{{ if .Values }}{{ .Values.hub }}{{ template "t" .Meta }}{{ end }}',
      'docker.io',
    ],
  ])('does not change %s', (_, text, output) => {
    expect(specialized(text).output).toBe(output);
    expect(specialized(text).output).toBe(output);
  });

  test('does not hide an unexpected exception of a host value', () => {
    const host = structType<object>({
      name: 'Host',
      fields: {
        Values: () => {
          throw new TypeError('a bug');
        },
      },
    });
    const template = parseTemplate('t', '{{ .Values }}');
    expect(() => specializeTemplate(template, host.of({}), known)).toThrow(TypeError);
  });

  test('is made within the budget of one execution', () => {
    const heavy = '{{ range until 100000 }}{{ end }}'.repeat(300);
    const start = performance.now();
    expect(specialized(`{{ if eq .Meta.Name "x" }}${heavy}{{ end }}`).output).toBe('');
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test('fails at the same place, and only when it gets there', () => {
    const text = '{{ if eq .Meta.Name "bad" }}{{ .Values.none.x }}{{ end }}';
    expect(specialized(text).output).toBe('');
    const template = parseTemplate('t', text, { functions });
    const special = specializeTemplate(template, data('first'), known);
    const failure = (run: () => string) => {
      try {
        return run();
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(failure(() => execute(special, data('bad')))).toBe(failure(() => execute(template, data('bad'))));
  });
});
