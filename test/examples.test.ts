import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { podgraft } from './podgraft-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const schema: object = JSON.parse(readFileSync(`${root}docs/config.schema.json`, 'utf8'));
const isConfig = new Ajv({ strict: false }).compile(schema);
const policies = readdirSync(`${root}examples/policies`).filter((name) => !name.endsWith('.md'));
const examples = readdirSync(`${root}examples`).filter((name) => name !== 'policies');
const benchRows = readdirSync(`${root}bench/rows`).map((row) => `bench/rows/${row}/podgraft.yaml`);
const configs = [
  ...[...examples, ...policies.map((policy) => `policies/${policy}`)].map(
    (example) => `examples/${example}/podgraft.yaml`,
  ),
  ...benchRows,
];

describe.each(configs)('%s', (path) => {
  const text = readFileSync(root + path, 'utf8');

  test('is valid according to the published schema, and refers to it for editors', () => {
    expect(isConfig(parse(text)), JSON.stringify(isConfig.errors)).toBe(true);
    const [, reference] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text) ?? [];
    expect(existsSync(fileURLToPath(new URL(reference ?? 'nowhere', `file://${root}${path}`)))).toBe(true);
  });
});

describe.each(examples)('examples/%s', (example) => {
  test('is injected without an error', async () => {
    const folder = `examples/${example}`;
    const manifests = readdirSync(root + folder)
      .filter((file) => file.endsWith('.yaml') && file !== 'podgraft.yaml')
      .flatMap((file) => ['-f', `${folder}/${file}`]);
    const { code, stderr, stdout } = await podgraft(
      ['explain', '--config', `${folder}/podgraft.yaml`, ...manifests, '-o', 'json'],
      { cwd: root },
    );
    expect(stderr.split('\n').filter((line) => line.startsWith('error'))).toEqual([]);
    expect(code).toBe(0);
    expect(stdout).toContain('"decision": "grafted"');
  });
});

test('every policy does what its cases say, and is listed', async () => {
  const folders = policies.map((policy) => `examples/policies/${policy}/cases`);
  const { code, stdout } = await podgraft(['test', ...folders], { cwd: root });
  expect(stdout).toMatch(new RegExp(`\\n${policies.length} passed, 0 failed\\n$`));
  expect(code).toBe(0);
  const page = readFileSync(`${root}examples/policies/README.md`, 'utf8');
  expect(policies.filter((policy) => !page.includes(`](${policy}/podgraft.yaml)`))).toEqual([]);
});

test('the schema rejects an unknown key', () => {
  const config = parse(readFileSync(`${root}examples/quickstart/podgraft.yaml`, 'utf8'));
  config.injectors[0].with.anotations = {};
  expect(isConfig(config)).toBe(false);
});
