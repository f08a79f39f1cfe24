import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseConfigText } from '../src/config/load-config.ts';
import { builtinNames } from '../src/injectors/catalog.ts';
import { podgraft } from './podgraft-process.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(root + path, 'utf8');
const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...markdownIn('docs')];

test('every link to a file resolves', () => {
  const broken = pages.flatMap((page) =>
    [...read(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)]
      .map(([, target]) => join(dirname(page), target ?? ''))
      .filter((target) => !existsSync(root + target))
      .map((target) => `${page} → ${target}`),
  );
  expect(broken).toEqual([]);
});

test('the README contains the files of the example', () => {
  for (const file of ['time-zone.ts', 'time-zone.test.ts']) {
    expect(read('README.md')).toContain(read(`examples/custom-injector/${file}`));
  }
});

test('the page about the admission phase contains its example', () => {
  expect(read('docs/chain.md')).toContain(read('examples/custom-injector/admission.test.ts'));
});

test('the README contains the output of explain', async () => {
  const args = [
    'explain',
    '-f',
    'examples/quickstart/pod.yaml',
    '--config',
    'examples/quickstart/podgraft.yaml',
  ];
  expect(read('README.md')).toContain((await podgraft(args, { cwd: root })).stdout);
});

test('every configuration in the docs is valid', async () => {
  let checked = 0;
  for (const page of ['README.md', 'docs/configuration.md', ...markdownIn('docs/injectors')]) {
    for (const [, text = ''] of read(page).matchAll(/```yaml\n([\s\S]*?)```/g)) {
      const isConfig = text.includes('kind: Config\n') && !text.includes('…');
      const isPart = text.startsWith('injectors:\n');
      if (!isConfig && !isPart) continue;
      const whole = isPart ? `apiVersion: podgraft.dev/v1alpha1\nkind: Config\n${text}` : text;
      await parseConfigText(whole, page);
      checked++;
    }
  }
  expect(checked).toBeGreaterThan(3);
});

test('the README and the schema list every built-in injector', () => {
  const listed = [...read('README.md').matchAll(/^\| \[?`([a-z-]+)`/gm)].map(([, name]) => name);
  expect(listed.toSorted()).toEqual(builtinNames.toSorted());
  for (const name of builtinNames) expect(read('docs/config.schema.json')).toContain(`"const": "${name}"`);
});

test('the docs list every member of an injector', () => {
  const membersIn = (text: string) => {
    const [, body = ''] = /interface Injector<[^{]*\{\n([\s\S]*?)\n\}/.exec(text) ?? [];
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[(:]/gm)].map(([, name]) => name).toSorted();
  };
  expect(membersIn(read('docs/writing-injectors.md'))).toEqual(membersIn(read('src/sdk/injector.ts')));
});

test('the docs list every setting of a case', () => {
  const [, text = ''] =
    /```yaml\n(apiVersion: podgraft.dev\/v1alpha1\nkind: Case[\s\S]*?)```/.exec(
      read('docs/writing-injectors.md'),
    ) ?? [];
  expect(Object.keys(parse(text))).toEqual([
    'apiVersion',
    'kind',
    'with',
    'match',
    'operation',
    'namespace',
    'removes',
  ]);
});

test('the docs list exactly the error codes that exist', () => {
  const codes = [...read('src/podgraft-error.ts').matchAll(/\| '([A-Z_]+)'/g)].map(([, code]) => code);
  const explained = [...read('docs/errors.md').matchAll(/^\| `([A-Z_]+)`/gm)].map(([, code]) => code);
  expect(explained).toEqual(codes);
});

test('the threat model has all 18 threats, each with its evidence', () => {
  const [, table = ''] =
    /## The 18 threats\n([\s\S]*?)\n## /.exec(read('docs/security/threat-model.md')) ?? [];
  const rows = [...table.matchAll(/^\| ([\d, ]+) \|(.*)\|(.*)\|$/gm)];
  const numbers = rows.flatMap(([, those = '']) => those.split(', ').map(Number));
  expect(numbers).toEqual(Array.from({ length: 18 }, (_, index) => index + 1));
  for (const [, those = '', answer = '', shown = ''] of rows) {
    const proofs = [...shown.matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '');
    const isBeyondUs = answer.includes('Nothing can be done here');
    expect([those, proofs.length > 0]).toEqual([those, !isBeyondUs]);
    expect(proofs.filter((proof) => !isProof(proof))).toEqual([]);
  }
});

/** A test file, a case, a folder of every injector, or a script. */
function isProof(name: string): boolean {
  const [, script] = /^npm run (.+)$/.exec(name) ?? [];
  if (script !== undefined) return script in JSON.parse(read('package.json')).scripts;
  const [before = '', after] = name.split('*');
  if (after === undefined) return /(\.test\.ts|\/cases\/[^/]+\.yaml)$/.test(name) && existsSync(root + name);
  return builtinNames.every((injector) => existsSync(`${root}${before}${injector}${after}`));
}

function markdownIn(folder: string): string[] {
  return readdirSync(root + folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`);
}
