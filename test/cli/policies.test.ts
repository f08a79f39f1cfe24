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

it.each([
  ['', 'Fail'],
  ['fail', 'Fail'],
  ['skip', 'Ignore'],
])('onError %j is failurePolicy %s, with and without --fail-closed', async (onError, failurePolicy) => {
  for (const flags of [[], ['--fail-closed']]) {
    const { objects } = await print([{ ...STAMP, ...(onError && { onError }) }], ...flags);
    expect(objects.flatMap(({ spec }) => spec.failurePolicy ?? [])).toEqual([failurePolicy, failurePolicy]);
  }
});

it('names what needs the webhook, and prints the server for it', async () => {
  const all = {
    name: 'all',
    use: 'overlay',
    match: { kinds: ['*'] },
    with: { overlay: { spec: { replicas: 2 } } },
  };
  const { stderr, names } = await print([TOLERATE, all]);
  expect(stderr).toContain(
    'note: injector "all" needs the webhook: it is for all kinds, and their fields differ\n',
  );
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

it('prints expressions, variables and parameters as parts of the policies', async () => {
  const team = {
    name: 'team',
    use: 'overlay',
    match: { conditions: ["object.metadata.name != 'x'"] },
    with: {
      params: { kind: 'ConfigMap', name: 'teams', namespace: 'platform' },
      variables: { team: "params.data.?team.orValue('none')" },
      overlay: { metadata: { labels: { team: { $cel: 'variables.team', $when: 'has(params.data)' } } } },
    },
  };
  const { code, stderr, objects } = await print([team]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const [policy, binding, check, checkBinding] = objects.map(({ spec }) => spec);
  expect(policy.paramKind).toEqual({ apiVersion: 'v1', kind: 'ConfigMap' });
  expect(policy.variables).toEqual([{ name: 'team', expression: "params.data.?team.orValue('none')" }]);
  expect(policy.matchConditions.at(-1).expression).toBe("object.metadata.name != 'x'");
  const paramRef = { name: 'teams', namespace: 'platform', parameterNotFoundAction: 'Allow' };
  expect([binding.paramRef, checkBinding.paramRef]).toEqual([paramRef, paramRef]);
  expect(check.variables.map(({ name }: { name: string }) => name)).toEqual(['team', 'remaining']);
});

it.each([
  [
    'a map from an expression',
    { metadata: { labels: { $cel: 'object.metadata.annotations' } } },
    '"metadata.labels" may be a list or a map',
  ],
  [
    'a condition inside $force',
    { spec: { nodeSelector: { $force: { a: { $cel: 'object.spec.?nodeSelector.?a' } } } } },
    'conditions inside "$force"',
  ],
  [
    'an expression that reads what the overlay changes before',
    {
      spec: {
        containers: [
          { name: '*', env: [{ name: 'A', value: 'b' }] },
          { name: '*', env: [{ name: 'B', value: { $cel: 'string(size(item.env))' } }] },
        ],
      },
    },
    'it reads "spec.containers.env", which another part of the overlay may have changed by then',
  ],
])('names the reason for %s', async (_, overlay, reason) => {
  const { stderr } = await print([{ name: 'test', use: 'overlay', with: { overlay } }]);
  expect(stderr).toContain(`note: injector "test" needs the webhook: ${reason}`);
});

it('leaves an injector that reads the changes of another one to the webhook', async () => {
  const reader = {
    name: 'reader',
    use: 'overlay',
    with: { overlay: { metadata: { annotations: { team: { $cel: "object.metadata.?labels['team']" } } } } },
  };
  const { stderr } = await print([STAMP, reader]);
  expect(stderr).toContain(
    'note: injector "reader" needs the webhook: it reads "metadata.labels.team", which injector "stamp" may change',
  );
});

it.each(['params.kind', "params.?kind.orValue('')", "params['kind']", 'variables.kind'])(
  'leaves an overlay that reads the kind of a built-in parameter to the webhook: %s',
  async (expression) => {
    const overlay = { metadata: { labels: { kind: { $cel: expression } } } };
    const params = { kind: 'ConfigMap', name: 'teams', namespace: 'platform' };
    const variables = expression === 'variables.kind' ? { kind: 'params.kind' } : {};
    const reader = { name: 'reader', use: 'overlay', with: { params, variables, overlay } };
    const { stderr } = await print([reader]);
    expect(stderr).toContain(
      'note: injector "reader" needs the webhook: an expression reads "params.kind", which built-in kinds do not have in policies',
    );
  },
);

it('prints an overlay that reads the kind of a custom resource as a policy', async () => {
  const overlay = { metadata: { labels: { kind: { $cel: 'params.kind' } } } };
  const kind = { group: 'example.com', version: 'v1', kind: 'Team', resource: 'teams', namespaced: true };
  const params = { kind, name: 'teams', namespace: 'platform' };
  const { stderr } = await print([{ name: 'reader', use: 'overlay', with: { params, overlay } }]);
  expect(stderr).toBe('');
});
