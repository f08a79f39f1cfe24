import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Parser } from 'yaml';
import { inject } from '../../src/cli/inject.ts';
import { STAMP } from '../stamp.ts';

/** Denies every third Pod, and labels the others. */
const INJECTOR = `export default {
  name: 'third', summary: '', match: {},
  inject: (pod) => (Number(pod.metadata.name.slice(1)) % 3 === 0 ? { deny: 'no' } : { overlay: { metadata: { labels: { seen: 'yes' } } } }),
};
`;

let folder: string;
const path = (name: string) => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-list-'));
  writeFileSync(path('podgraft.yaml'), STAMP);
  writeFileSync(path('third.mjs'), INJECTOR);
  const head = STAMP.slice(0, STAMP.indexOf('  - name'));
  writeFileSync(path('third.yaml'), `${head}  - {name: third, use: ./third.mjs}\n`);
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  process.exitCode = 0;
});

const item = (name: string, added = '') =>
  `- apiVersion: v1\n  kind: Pod\n  metadata:\n    name: ${name} # a Pod\n${added}  spec: {containers: [{name: a, image: a:1}]}\n`;
const listOf = (items: readonly string[]) => `apiVersion: v1\nkind: List\nitems:\n${items.join('')}`;
const names = (length: number) => Array.from({ length }, (_, n) => `p${n}`);

/** Runs `podgraft inject` in this process; returns its output and the texts that were parsed as YAML. */
async function run(input: string, config: string): Promise<{ output: string; parsed: unknown[] }> {
  writeFileSync(path('input.yaml'), input);
  const parse = vi.spyOn(Parser.prototype, 'parse');
  const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const request = { namespace: 'default', operation: 'CREATE', user: 'me' } as const;
    const files = { filename: [path('input.yaml')], config: path(config), cluster: [] };
    await inject({ ...files, ...request, output: 'yaml' });
    const parsed = parse.mock.calls.map(([text]) => text).filter((text) => text.includes('kind: Pod'));
    return { output: stdout.mock.calls.map(([text]) => text).join(''), parsed };
  } finally {
    for (const spy of [parse, stdout, stderr]) spy.mockRestore();
  }
}

test.each([20, 400])('parses a List of %d Pods once', async (length) => {
  const input = listOf(names(length).map((name) => item(name)));
  const { output, parsed } = await run(input, 'podgraft.yaml');
  const added = '    annotations:\n      injected-by: my-webhook\n';
  expect(output).toBe(listOf(names(length).map((name) => item(name, added))));
  expect(parsed).toEqual([input]);
});

// The parsed texts add up to the input, however long it is: the work of parsing is linear.
test.each([3, 400])('parses each of %d documents once, and alone', async (length) => {
  const documents = names(length).map((name) => `---\n${item(name).replace(/^- |^ {2}/gm, '')}`);
  const { output, parsed } = await run(documents.join(''), 'podgraft.yaml');
  expect(output.match(/injected-by/g)).toHaveLength(length);
  expect(parsed).toEqual(documents);
});

test('removes the denied items of a List and edits the others', async () => {
  const { output } = await run(listOf(names(8).map((name) => item(name))), 'third.yaml');
  const added = '    labels:\n      seen: "yes"\n';
  expect(output).toBe(listOf(['p1', 'p2', 'p4', 'p5', 'p7'].map((name) => item(name, added))));
});
