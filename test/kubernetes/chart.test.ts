import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { makeCa } from '../../src/certificates/issue-certificate.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { goProgramPath } from '../../tools/go-program-path.mjs';
import { podgraft } from '../podgraft-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const chart = join(root, 'deploy/chart');
const folder = mkdtempSync(join(tmpdir(), 'podgraft-chart-'));
const ca = makeCa({ commonName: 'test', days: 1, now: new Date() }).certificate;
const caFile = write('ca.crt', ca);
const module = `const map = { group: '', version: 'v1', kind: 'ConfigMap', resource: 'configmaps', namespaced: true };
export default {
  name: 'mine', summary: '', match: {}, inject: () => ({ skip: 'test' }),
  reads: () => [{ ...map, namespace: 'injection', name: 'beside' }, { ...map, name: 'anywhere' }],
};
`;
write('mine.mjs', module);

const own = write(
  'own.yaml',
  `apiVersion: podgraft.dev/v1alpha1
kind: Config
# Comments stay.
injectors:
  - { name: mine, use: ./mine.mjs, match: { namespaceSelector: { matchLabels: { team: a } } } }
  - { name: otel, use: opentelemetry, match: { namespaceSelector: { matchLabels: { team: a } } } }
  - { name: mesh, use: istio, with: { revision: canary } }
  - { name: aws, use: pod-identity, with: { watchConfigMap: true, namespace: istio-system } }
  - name: labels
    use: metadata
    match:
      kinds: [Service]
      operations: [CREATE, UPDATE]
      objectSelector: { matchExpressions: [{ key: a, operator: Exists }] }
    with: { labels: { b: c } }
  - { name: policies, use: admission-policy, match: { kinds: [Job] }, with: { authorizer: true } }
exclude: { namespaces: [kube-system, kube-node-lease, other] }
`,
);
const quickstart = join(root, 'examples/quickstart/podgraft.yaml');

describe('the chart', () => {
  beforeAll(() => {
    const build = join(root, 'tools/build-go-programs.mjs');
    if (!existsSync(goProgramPath('helm')))
      spawnSync(process.execPath, [build, 'helm'], { stdio: 'inherit' });
    if (!existsSync(goProgramPath('helm')))
      throw new Error('Cannot test the chart without helm: install Go to build it');
  }, 900_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each<[string, string, string[], string[]]>([
    ['by default', quickstart, [], []],
    ['with selectors and a module', own, [], []],
    [
      'for a gradual roll-out that fails closed, with the final check',
      quickstart,
      [
        '--validate',
        '--fail-closed',
        '--timeout-seconds',
        '3',
        '--only-namespaces',
        'a,b',
        '--replicas',
        '3',
      ],
      [
        'webhook.validate=true,webhook.failClosed=true,webhook.timeoutSeconds=3,webhook.onlyNamespaces={a,b}',
        'replicas=3',
      ],
    ],
    [
      'with cert-manager',
      own,
      ['--cert-manager', '--validate'],
      ['tls.mode=cert-manager,webhook.validate=true'],
    ],
    [
      'with a Secret provided by the user',
      own,
      ['--tls', 'secret', '--secret', 'mine', '--ca-bundle', caFile, '--image', 'r.example.com/podgraft:v9'],
      [
        `tls.mode=secret,tls.secretName=mine,tls.caBundle=${Buffer.from(ca).toString('base64')}`,
        'image.repository=r.example.com/podgraft,image.tag=v9',
      ],
    ],
    [
      'with audits',
      quickstart,
      ['--audit-interval', '15m', '--restart-missed'],
      ['audit.interval=15m,audit.restartMissed=true'],
    ],
  ])('renders the same objects as podgraft manifests: %s', async (_, config, flags, values) => {
    const place = ['--name', 'graft', '--namespace', 'injection'];
    const printed = await run(['manifests', '--config', config, ...place, ...flags]);
    expect(await rendered(config, values)).toEqual(byName(printed));
  });

  it('names the ConfigMap by its content, and the Deployment mounts it', async () => {
    const nameOf = async (config: string) => {
      const objects = await rendered(config, []);
      const map = [...objects.values()].find(({ kind }) => kind === 'ConfigMap');
      expect(map).toMatchObject({ immutable: true });
      expect(objects.get('Deployment injection/graft')).toMatchObject({
        spec: { template: { spec: { volumes: [{ configMap: { name: map?.metadata.name } }] } } },
      });
      return map?.metadata.name;
    };
    const first = await nameOf(own);
    expect(first).toMatch(/^graft-[0-9a-f]{10}$/);
    expect(await nameOf(own)).toBe(first);
    expect(await nameOf(quickstart)).not.toBe(first);
    write('mine.mjs', `${module}// Changed.\n`);
    expect(await nameOf(own)).not.toBe(first);
    write('mine.mjs', module);
  });

  it('limits reads by name to these names', async () => {
    const objects = await rendered(own, []);
    const rulesOf = (role: string) => objects.get(role)?.rules;
    const maps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] };
    expect(rulesOf('Role istio-system/graft-reads')).toEqual([
      {
        ...maps,
        resourceNames: ['istio-sidecar-injector-canary', 'istio-canary', 'pod-identity-webhook'],
      },
    ]);
    expect(rulesOf('Role injection/graft-reads')).toEqual([{ ...maps, resourceNames: ['beside'] }]);
    expect(rulesOf('ClusterRole undefined/graft')).toContainEqual({ ...maps, resourceNames: ['anywhere'] });
    expect(rulesOf('ClusterRole undefined/graft')).not.toContainEqual(maps);
  });

  it('names all objects by fullnameOverride, and labels them by nameOverride', async () => {
    const objects = await rendered(own, [
      'fullnameOverride=other,nameOverride=injector,webhook.validate=true',
    ]);
    const outside = [...objects.values()].filter(({ kind }) => kind !== 'Namespace');
    expect(outside.filter(({ metadata: { name } }) => !/^other(-|$)/.test(name ?? ''))).toEqual([]);
    const label = 'app.kubernetes.io/name';
    const labels = [...objects.values()].map(({ metadata }) => metadata.labels?.[label]);
    expect(new Set(labels)).toEqual(new Set(['injector']));
    expect(objects.get('Service injection/other')).toMatchObject({
      spec: { selector: { [label]: 'injector' } },
    });
    expect(JSON.stringify(objects.get('MutatingWebhookConfiguration undefined/other'))).toContain(
      '"service":{"name":"other"',
    );
  });

  it('has a ServiceMonitor, an autoscaler and annotations of Pods on request', async () => {
    const objects = await rendered(quickstart, [
      'serviceMonitor.enabled=true,serviceMonitor.labels.release=prometheus,serviceMonitor.interval=30s',
      'autoscaling.enabled=true,autoscaling.maxReplicas=9,podAnnotations.a=b,priorityClassName=important',
    ]);
    expect(objects.get('ServiceMonitor injection/graft')).toMatchObject({
      metadata: { labels: { release: 'prometheus' } },
      spec: { endpoints: [{ port: 'metrics', interval: '30s' }] },
    });
    expect(objects.get('Service injection/graft')).toMatchObject({
      spec: { ports: [{ name: 'https' }, { name: 'metrics', port: 9090, targetPort: 'metrics' }] },
    });
    expect(objects.get('HorizontalPodAutoscaler injection/graft')).toMatchObject({
      spec: { minReplicas: 2, maxReplicas: 9, scaleTargetRef: { kind: 'Deployment', name: 'graft' } },
    });
    const deployment = objects.get('Deployment injection/graft') as unknown as { spec: object };
    expect(deployment.spec).not.toHaveProperty('replicas');
    expect(deployment).toMatchObject({
      spec: { template: { metadata: { annotations: { a: 'b' } }, spec: { priorityClassName: 'important' } } },
    });
  });

  it('mounts your own ConfigMap instead of the generated one', async () => {
    const objects = await rendered(own, ['existingConfigMap=mine']);
    expect([...objects.keys()].filter((key) => key.startsWith('ConfigMap'))).toEqual([]);
    expect(objects.get('Deployment injection/graft')).toMatchObject({
      spec: { template: { spec: { volumes: [{ name: 'config', configMap: { name: 'mine' } }] } } },
    });
    expect(objects.get('Role injection/graft')?.rules).toContainEqual({
      apiGroups: [''],
      resources: ['events'],
      verbs: ['create'],
    });
  });

  it('grants nothing for audits, restarts and Events unless they are enabled', async () => {
    const text = JSON.stringify([...(await rendered(own, [])).values()]);
    for (const resource of [
      'events',
      'leases',
      'policyreports',
      '"pods"],"verbs',
      'poddisruptionbudgets"]',
    ]) {
      expect(text).not.toContain(resource);
    }
    const audited = [...(await rendered(quickstart, ['audit.interval=1h'])).values()];
    const roles = audited.filter(({ kind }) => kind === 'ClusterRole') as unknown as { rules: Rule[] }[];
    const apps = roles.flatMap(({ rules }) => rules).filter(({ apiGroups }) => apiGroups.includes('apps'));
    expect(apps.flatMap(({ verbs }) => verbs)).toEqual(['get']);
  });

  it('passes helm lint with generated values', async () => {
    const values = write('values.yaml', await run(['manifests', '--config', own, '--chart-values']));
    const output = execFileSync(
      goProgramPath('helm'),
      ['lint', '--strict', chart, '-f', values, '--kube-version', '1.36.0'],
      {
        encoding: 'utf8',
      },
    );
    expect(output).toContain('0 chart(s) failed');
  });

  it.each([
    ['that check the final object', 'true', []],
    // Once for each webhook.
    ['by default', 'false', ['unchecked-ignore', 'unchecked-ignore']],
  ])(
    'gives podgraft lint nothing to report about webhooks %s, or only what was chosen',
    async (_, validate, expected) => {
      const values = write('values.yaml', await run(['manifests', '--config', quickstart, '--chart-values']));
      const { stdout } = helm(['-f', values, '--set', `webhook.validate=${validate}`]);
      const linted = await podgraft(['lint', '-', '-o', 'json'], { input: stdout });
      const { findings } = JSON.parse(linted.stdout) as { findings: { rule: string }[] };
      expect(findings.map(({ rule }) => rule)).toEqual(expected);
    },
  );

  it('explains what to do if the configuration is missing', () => {
    const { status, stderr } = helm([]);
    expect({ status, stderr }).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('--chart-values'),
    });
  });

  it.each([
    ['an unknown key', 'replica=3', 'replica'],
    ['a wrong type', 'webhook.failClosed=yes', 'failClosed'],
    ['a timeout that the API rejects', 'webhook.timeoutSeconds=31', 'timeoutSeconds'],
    ['restarts without audits', 'audit.restartMissed=true', 'interval'],
    ['an interval without a unit', 'audit.interval=15', 'interval'],
    ['a Secret without its CA', 'tls.mode=secret', 'caBundle'],
  ])('has a schema that rejects %s', async (_, value, named) => {
    const values = write('values.yaml', await run(['manifests', '--config', quickstart, '--chart-values']));
    const { status, stderr } = helm(['-f', values, '--set', value]);
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining(named) });
  });

  it('has the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(parse(readFileSync(join(chart, 'Chart.yaml'), 'utf8'))).toMatchObject({
      version,
      appVersion: version,
    });
  });

  async function rendered(config: string, values: readonly string[]) {
    const derived = write('derived.yaml', await run(['manifests', '--config', config, '--chart-values']));
    const sets = ['namespace.create=true', ...values].flatMap((value) => ['--set', value]);
    const { status, stdout, stderr } = helm(['-f', derived, ...sets]);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    return byName(stdout);
  }
});

type Rule = { apiGroups: string[]; resources: string[]; verbs: string[] };

function helm(flags: readonly string[]) {
  const args = ['template', 'graft', chart, '--namespace', 'injection', '--kube-version', '1.36.0', ...flags];
  return spawnSync(goProgramPath('helm'), args, { encoding: 'utf8' });
}

async function run(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await podgraft(args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

/** By name, because Helm has its own order of objects. */
function byName(text: string): ReadonlyMap<string, KubeObject> {
  const objects = parseAllDocuments(text).flatMap((document) => (document.toJS() as KubeObject | null) ?? []);
  const named = new Map(
    objects.map((object) => [`${object.kind} ${object.metadata.namespace}/${object.metadata.name}`, object]),
  );
  expect(named.size).toBe(objects.length);
  return named;
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}
