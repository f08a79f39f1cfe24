import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { type LabelSelector, matchesSelector } from '../../src/kube/label-selector.ts';
import { podgraft } from '../podgraft-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'podgraft-manifests-'));
afterAll(() => rmSync(folder, { recursive: true }));

const head = 'apiVersion: podgraft.dev/v1alpha1\nkind: Config\n';
write('podgraft.yaml', `${head}injectors: [{ name: stamp, use: metadata, with: { labels: { a: b } } }]\n`);
const manifests = (...flags: string[]) => podgraft(['manifests', ...flags], { cwd: folder });

it("puts the user's modules into the ConfigMap, at the paths that the configuration names", async () => {
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

it('states the protocol of the ports of its NetworkPolicy, so that applying it again changes nothing', async () => {
  const { stdout } = await manifests('-o', 'json');
  const { items } = JSON.parse(stdout) as {
    items: { kind: string; spec: { ingress: { ports: object[] }[] } }[];
  };
  const policy = items.find(({ kind }) => kind === 'NetworkPolicy');
  expect(policy?.spec.ingress.flatMap(({ ports }) => ports)).toEqual([
    { port: 'https', protocol: 'TCP' },
    { port: 'metrics', protocol: 'TCP' },
  ]);
});

it.each([
  ['as manifests', ['-o', 'json']],
  ['for the chart', ['--chart-values']],
])('grants SubjectAccessReviews only to a configuration that asks the authorizer: %s', async (_, flags) => {
  const outputs = ['', ', with: {authorizer: true}'].map(async (settings, index) => {
    const name = `asking-${index}.yaml`;
    write(name, `${head}injectors: [{ name: house, use: admission-policy${settings} }]\n`);
    return (await manifests('--config', name, ...flags)).stdout;
  });
  const [without = '', granted = ''] = await Promise.all(outputs);
  expect(without).not.toMatch(/accessreviews/i);
  if (flags.includes('--chart-values')) {
    expect(parse(granted).derived.accessReviews).toEqual(['house']);
    return;
  }
  const { items } = JSON.parse(granted) as { items: { kind: string; rules: object[] }[] };
  expect(items.find(({ kind }) => kind === 'ClusterRole')?.rules).toContainEqual({
    apiGroups: ['authorization.k8s.io'],
    resources: ['subjectaccessreviews'],
    verbs: ['create'],
  });
});

it('derives the rules of the webhook, and the RBAC, from mutators in files', async () => {
  write('policies.yaml', `${head}injectors: [{ name: policies, use: gatekeeper }]\n`);
  const cluster = fileURLToPath(new URL('../../examples/gatekeeper/mutators.yaml', import.meta.url));
  const rulesOf = async (...flags: string[]) => {
    const { stdout } = await manifests('--config', 'policies.yaml', '-o', 'json', ...flags);
    const { items } = JSON.parse(stdout) as {
      items: { kind: string; webhooks: { rules: object[] }[]; rules: object[] }[];
    };
    const webhooks = items.find(({ kind }) => kind === 'MutatingWebhookConfiguration')?.webhooks ?? [];
    const role = items.find(({ kind }) => kind === 'ClusterRole')?.rules ?? [];
    return { webhooks: webhooks.flatMap(({ rules }) => rules), role: JSON.stringify(role) };
  };
  const { webhooks, role } = await rulesOf('--cluster', cluster);
  expect(webhooks).toEqual([
    {
      apiGroups: [''],
      apiVersions: ['v1'],
      resources: ['pods'],
      operations: ['CREATE'],
      scope: 'Namespaced',
    },
  ]);
  for (const resource of [
    'assign',
    'assignimage',
    'assignmetadata',
    'modifyset',
    'providers',
    'namespaces',
  ]) {
    expect(role).toContain(`"${resource}"`);
  }
  expect((await rulesOf()).webhooks).toEqual([
    { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE'], scope: '*' },
  ]);
});

it('registers webhooks that other versions of the API cannot avoid, and Pods without privileges', async () => {
  const { stdout } = await manifests('--validate');
  const objects = parseAllDocuments(stdout).map((document) => document.toJS());
  const webhooks = objects.flatMap((object) => object.webhooks ?? []);
  expect(webhooks.map(({ matchPolicy, sideEffects }) => [matchPolicy, sideEffects])).toEqual([
    ['Equivalent', 'None'],
    ['Equivalent', 'None'],
  ]);
  const { spec } = objects.find(({ kind }) => kind === 'Deployment').spec.template;
  expect(spec.containers.map(({ securityContext }: { securityContext: object }) => securityContext)).toEqual([
    { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  ]);
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true });
});

it('rejects a module whose imports would be missing from the ConfigMap', async () => {
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
  ['an invalid CA', ['--ca-bundle', 'podgraft.yaml'], 'PEM'],
  ['plain HTTP', ['--url', 'http://example.com'], 'https://host:port'],
  ['an invalid namespace', ['--only-namespaces', 'a,B'], 'names of namespaces'],
  ['two sources of certificates', ['--cert-manager', '--tls', 'secret'], 'cannot be used with'],
  ['flags that are values of the chart', ['--chart-values', '--replicas', '3'], 'cannot be used with'],
  ['a timeout that the API rejects', ['--timeout-seconds', '31'], 'from 1 to 30'],
])('rejects %s', async (_, flags, words) => {
  const { code, stdout, stderr } = await manifests(...flags);
  expect({ code: code !== 0, stdout, stderr }).toEqual({
    code: true,
    stdout: '',
    stderr: expect.stringContaining(words),
  });
});

it('warns about namespaces that are excluded, and about those that should be', async () => {
  write('risky.yaml', `${head}injectors: []\nexclude: { namespaces: [closed, kube-node-lease] }\n`);
  const risky = await manifests('--config', 'risky.yaml');
  expect(risky.stderr).toContain('warning: the configuration does not exclude namespace "kube-system"');
  const closed = await manifests('--config', 'risky.yaml', '--only-namespaces', 'closed,podgraft');
  expect(closed.stderr).toBe(
    'warning: namespace "closed" is excluded despite --only-namespaces\n' +
      'warning: namespace "podgraft" is excluded despite --only-namespaces\n',
  );
});

it('does not label a namespace that every cluster has', async () => {
  const { stdout } = await manifests('--namespace', 'kube-system');
  expect(stdout).not.toContain('kind: Namespace');
});

describe("the istio injector's webhooks select the same Pods as Istio's own", () => {
  /** Istio's webhooks, by the labels of namespace and Pod that each selects. R is a revision or a tag. */
  type Labels = { injection?: string; rev?: string; name: string };
  type Pod = { inject?: string; rev?: string };
  type Row = (namespace: Labels, pod: Pod) => boolean;
  const byRevision = (R: string): Record<string, Row> => ({
    [`rev-namespace-${R}`]: (n, p) => n.rev === R && n.injection === undefined && p.inject !== 'false',
    [`rev-object-${R}`]: (n, p) =>
      n.rev === undefined && n.injection === undefined && p.inject !== 'false' && p.rev === R,
  });
  const byDefault: Record<string, Row> = {
    namespace: (n, p) => n.injection === 'enabled' && p.inject !== 'false',
    object: (n, p) =>
      n.rev === undefined && n.injection === undefined && p.inject === 'true' && p.rev === undefined,
  };
  const auto: Row = (n, p) =>
    [n.rev, n.injection, p.inject, p.rev].every((label) => label === undefined) &&
    n.name !== 'local-path-storage';

  it.each<[string, Record<string, Row>]>([
    ['{}', { ...byRevision('default'), ...byDefault }],
    ['{ enableNamespacesByDefault: true }', { ...byRevision('default'), ...byDefault, auto }],
    ['{ revision: canary, tags: [prod] }', { ...byRevision('canary'), ...byRevision('prod') }],
    ['{ revision: canary, enableNamespacesByDefault: true }', byRevision('canary')],
    [
      '{ revision: canary, tags: [default], enableNamespacesByDefault: true }',
      { ...byRevision('canary'), ...byRevision('default'), ...byDefault, auto },
    ],
  ])('with: %s', async (settings, rows) => {
    write('istio.yaml', `${head}injectors: [{ name: mesh, use: istio, with: ${settings} }]\n`);
    const { stdout } = await manifests('--config', 'istio.yaml');
    const objects = parseAllDocuments(stdout).map((document) => document.toJS());
    const { webhooks } = objects.find(({ kind }) => kind === 'MutatingWebhookConfiguration');
    const labels = (entries: Record<string, string | undefined>) =>
      Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined));
    const revisions = [undefined, 'default', 'canary', 'prod', 'other'];
    for (const name of ['shop', 'local-path-storage'])
      for (const injection of [undefined, 'enabled', 'disabled'])
        for (const rev of revisions)
          for (const inject of [undefined, 'true', 'false', 'maybe'])
            for (const own of revisions) {
              const namespace = labels({
                'kubernetes.io/metadata.name': name,
                'istio-injection': injection,
                'istio.io/rev': rev,
              });
              const pod = labels({ 'sidecar.istio.io/inject': inject, 'istio.io/rev': own });
              const selected = webhooks
                .filter(
                  (webhook: { namespaceSelector: LabelSelector; objectSelector: LabelSelector }) =>
                    matchesSelector(webhook.namespaceSelector, namespace as Record<string, string>) &&
                    matchesSelector(webhook.objectSelector, pod as Record<string, string>),
                )
                .map((webhook: { name: string }) => webhook.name.split('.')[0]);
              const namespaceLabels = {
                name,
                ...(injection !== undefined && { injection }),
                ...(rev !== undefined && { rev }),
              };
              const podLabels = {
                ...(inject !== undefined && { inject }),
                ...(own !== undefined && { rev: own }),
              };
              const expected = Object.keys(rows).filter((row) => rows[row]?.(namespaceLabels, podLabels));
              expect(selected, JSON.stringify({ namespace, pod })).toEqual(expected);
            }
  });
});

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
