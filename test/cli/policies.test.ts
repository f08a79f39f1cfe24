import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { podgraft } from '../podgraft-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podgraft-policies-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const STAMP = { name: 'stamp', use: 'metadata', with: { labels: { team: 'a' } } };
const TOLERATE = {
  name: 'tolerate',
  use: 'overlay',
  with: { overlay: { spec: { tolerations: [{ key: 'spot', operator: 'Exists' }] } } },
};

async function print(injectors: readonly object[], ...args: string[]) {
  const file = join(folder, 'podgraft.yaml');
  await writeFile(file, JSON.stringify({ apiVersion: 'podgraft.dev/v1alpha1', kind: 'Config', injectors }));
  const { code, stdout, stderr } = await podgraft(['manifests', '--policies', '--config', file, ...args]);
  const objects = parseAllDocuments(stdout).map((document) => document.toJS());
  return { code, stderr, objects, names: objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`) };
}

it('prints nothing but policies if they suffice', async () => {
  const { code, stderr, names, objects } = await print([STAMP, TOLERATE], '--fail-closed', '--validate');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const kinds = ['Mutating', 'Validating'].flatMap((type) =>
    ['', 'Binding'].map((suffix) => `${type}AdmissionPolicy${suffix}`),
  );
  expect(names).toEqual(
    ['stamp', 'tolerate'].flatMap((name) => kinds.map((kind) => `${kind}/podgraft-${name}`)),
  );
  expect(objects[0].spec).toMatchObject({
    failurePolicy: 'Fail',
    mutations: [{ patchType: 'ApplyConfiguration' }],
  });
  expect(objects[3].spec.validationActions).toEqual(['Deny']);
  expect(objects[4].spec.mutations).toMatchObject([{ patchType: 'JSONPatch' }]);
});

it('names what needs the webhook, and prints the server for it', async () => {
  const all = { ...STAMP, name: 'all', match: { kinds: ['*'] } };
  const { stderr, names } = await print([TOLERATE, all]);
  expect(stderr).toContain('note: injector "all" needs the webhook: it is for all kinds\n');
  expect(names).toContain('Deployment/podgraft');
  expect(names).toContain('MutatingWebhookConfiguration/podgraft');
  expect(names).toContain('MutatingAdmissionPolicy/podgraft-tolerate');
  expect(names).not.toContain('MutatingAdmissionPolicy/podgraft-all');
});

it('leaves the second of two injectors that fill the same field to the webhook', async () => {
  const other = { name: 'other', use: 'metadata', with: { labels: { team: 'b' } } };
  const { stderr } = await print([STAMP, other]);
  expect(stderr).toContain(
    'note: injector "other" needs the webhook: it sets "/metadata/labels/team" after injector "stamp"',
  );
});
