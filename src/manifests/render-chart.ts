import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { func, metered } from '../gotemplate/func.ts';
import type { Meter } from '../gotemplate/meter.ts';
import { sprigFunctions } from '../gotemplate/sprig/functions.ts';
import { execute, parseTemplate, type Template } from '../gotemplate/template.ts';
import { toJson } from '../gotemplate/to-json.ts';
import type { Value } from '../gotemplate/values.ts';
import type { JsonObject } from '../json/json.ts';
import { toYaml } from '../kubernetes-yaml.ts';

const CHART = new URL('../../deploy/chart/', import.meta.url);

export interface Release {
  readonly name: string;
  readonly namespace: string;
}

/** Renders templates of the Helm chart without Helm. Returns YAML documents that keep the chart's comments. */
export function renderChart(
  templates: readonly string[],
  { name, namespace }: Release,
  values: JsonObject,
): string[] {
  const { appVersion } = parse(read('Chart.yaml'));
  const data: JsonObject = {
    Chart: { AppVersion: appVersion },
    Release: { Name: name, Namespace: namespace },
    Values: { ...parse(read('values.yaml')), ...values },
  };
  const rendered = templates.map((file) => execute(readTemplate(file), data));
  return rendered.flatMap((text) => text.split(/^---\n/m)).flatMap((text) => text.trim() || []);
}

function readTemplate(file: string): Template {
  const text = read('templates/_helpers.tpl') + read(`templates/${file}`);
  const template: Template = parseTemplate(file, text, {
    functions: {
      ...sprigFunctions(),
      include: func('func(string, interface {}) string', (name: string, data: Value) =>
        execute(template, data, { template: name }),
      ),
      // There is no cluster to look into. `helm template` returns the same.
      lookup: func('func(string, string, string, string) map[string]interface {}', () => ({})),
      required: func('func(string, interface {}) interface {}', (message: string, value: Value) => {
        if (value === undefined || value === null || value === '') throw new Error(message);
        return value;
      }),
      sha256sum: func('func(string) string', (input: string) =>
        createHash('sha256').update(input).digest('hex'),
      ),
      toYaml: metered('func(interface {}) string', (meter: Meter, value: Value) =>
        toYaml(JSON.parse(toJson(value, meter))).trimEnd(),
      ),
    },
  });
  return template;
}

function read(file: string): string {
  return readFileSync(new URL(file, CHART), 'utf8');
}
