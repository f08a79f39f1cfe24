import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { podgraft } from '../podgraft-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-manifests-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head = 'apiVersion: podgraft.dev/v1alpha1\nkind: Config\n';
write('podgraft.yaml', `${head}injectors: [{ name: stamp, use: metadata, with: { labels: { a: b } } }]\n`);
const manifests = (...flags: string[]) => podgraft(['manifests', ...flags], { cwd: folder });

it("carries the user's own modules in the ConfigMap, at the paths that the configuration names", async () => {
  const text = `export default { name: 'mine', summary: '', match: {}, inject: () => ({ skip: 'test' }) };\n`;
  mkdirSync(join(folder, 'injectors'));
  write('injectors/mine.mjs', text);
  write('own.yaml', `${head}injectors: [{ name: mine, use: ./injectors/mine.mjs }]\n`);
  const { stdout } = await manifests('--config', 'own.yaml');
  const objects = parseAllDocuments(stdout).map((document) => document.toJS());
  const find = (kind: string) => objects.find((object) => object.kind === kind);
  expect(find('ConfigMap').data).toMatchObject({ 'injectors__mine.mjs': text });
  expect(find('Deployment').spec.template.spec.volumes[0].configMap.items).toContainEqual({
    key: 'injectors__mine.mjs',
    path: 'injectors/mine.mjs',
  });
});

it('refuses a module that would not find its neighbours in the ConfigMap', async () => {
  write('neighbour.mjs', 'export const match = {};\n');
  write(
    'split.mjs',
    `import { match } from './neighbour.mjs';\nexport default { name: 'a', summary: '', match, inject: () => ({ skip: '' }) };\n`,
  );
  write('split.yaml', `${head}injectors: [{ name: a, use: ./split.mjs }]\n`);
  const { code, stderr } = await manifests('--config', 'split.yaml');
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr:
      'error: Cannot put module "split.mjs" into the ConfigMap: it imports "./neighbour.mjs": bundle it into one file first\n',
  });
});

it.each([
  ['a Secret without its CA', ['--tls', 'secret'], '--ca-bundle'],
  ['a CA that is none', ['--ca-bundle', 'podgraft.yaml'], 'PEM'],
  ['plain HTTP', ['--url', 'http://example.com'], 'https://host:port'],
  ['what is no namespace', ['--only-namespaces', 'a,B'], 'names of namespaces'],
  ['two sources of certificates', ['--cert-manager', '--tls', 'secret'], 'cannot be used with'],
  ["values of the chart that are the user's", ['--chart-values', '--replicas', '3'], 'cannot be used with'],
  ['a timeout that the API refuses', ['--timeout-seconds', '31'], 'from 1 to 30'],
])('refuses %s', async (_, flags, words) => {
  const { code, stdout, stderr } = await manifests(...flags);
  expect({ code: code !== 0, stdout, stderr }).toEqual({
    code: true,
    stdout: '',
    stderr: expect.stringContaining(words),
  });
});

it('warns of what would not work', async () => {
  write('risky.yaml', `${head}injectors: []\nexclude: { namespaces: [closed, kube-node-lease] }\n`);
  const risky = await manifests('--config', 'risky.yaml');
  expect(risky.stderr).toContain('warning: the configuration does not exclude namespace "kube-system"');
  const closed = await manifests('--config', 'risky.yaml', '--only-namespaces', 'closed,podgraft');
  expect(closed.stderr).toBe(
    'warning: namespace "closed" is excluded, in spite of --only-namespaces\n' +
      'warning: namespace "podgraft" is excluded, in spite of --only-namespaces\n',
  );
});

it('does not put labels on a namespace that comes with the cluster', async () => {
  const { stdout } = await manifests('--namespace', 'kube-system');
  expect(stdout).not.toContain('kind: Namespace');
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
