import { describe, expect, test } from 'vitest';
import { admit } from '../chain/admit.ts';
import type { CallWebhook } from '../chain/call-webhook.ts';
import type { JsonObject } from '../json/json.ts';
import { parseDocument } from '../yaml/parse-document.ts';
import { chainView } from './chain-view.ts';
import type { OwnRun } from './own-run.ts';
import type { RunView } from './view.ts';

const REQUEST = {
  uid: 'u',
  time: '',
  operation: 'CREATE',
  kind: 'Pod',
  namespace: 'default',
  name: 'web',
  user: 'jane',
  dryRun: false,
  milliseconds: 0,
};
const POD = `apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {team: a, old: "true"}
spec:
  containers:
    - name: app
      image: nginx:1.27
      env:
        - name: HOME
          value: /root
      resources:
        limits: {cpu: 0.5}
`;

function webhook(name: string, more: JsonObject = {}): JsonObject {
  return {
    name,
    clientConfig: { url: `https://${name}/mutate` },
    rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  };
}

function configuration(name: string, webhooks: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name },
    webhooks,
  };
}

type Patches = { readonly [webhook: string]: readonly JsonObject[] };

/** Runs a Pod through webhooks that answer with these patches. */
async function view(yaml: string, patches: Patches, own: Patches[string] = []): Promise<RunView> {
  const runs = new Map<JsonObject, OwnRun>();
  const call: CallWebhook = async ({ name }, review) => {
    const request = review.request as JsonObject;
    const patch = name === 'own.example.com' ? own : (patches[name] ?? []);
    if (name === 'own.example.com') {
      const trace = patch.map((operation, index) => ({
        injector: `injector-${index}`,
        round: 1,
        decision: 'grafted' as const,
        patch: [operation as never],
        kept: [],
      }));
      runs.set(review, { seen: request.object as JsonObject, trace });
    }
    const encoded = Buffer.from(JSON.stringify(patch)).toString('base64');
    const patched = patch.length === 0 ? {} : { patchType: 'JSONPatch', patch: encoded };
    const response = { uid: request.uid, allowed: true, ...patched } as JsonObject;
    return {
      status: 200,
      body: JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }),
    };
  };
  const sent = parseDocument(yaml).value as JsonObject;
  const names = [...Object.keys(patches), ...(own.length > 0 ? ['own.example.com'] : [])];
  const outcome = await admit(
    { object: sent },
    {
      configurations: [
        configuration(
          'podgraft',
          names.map((name) => webhook(name)),
        ),
      ],
      call,
      plugins: [],
    },
  );
  const stages = own.map((_, index) => ({
    name: `injector-${index}`,
    injector: { name: 'overlay', summary: `does ${index}` },
  }));
  return chainView({ request: REQUEST, sent, text: yaml, outcome, own: runs, stages });
}

const short = ({ changes }: RunView) => changes.map(({ path, type, owner }) => [path, type, owner]);

describe('changes', () => {
  test('are attributed to injectors and other webhooks, without the defaults and notation of the API server', async () => {
    const result = await view(
      POD,
      { 'other.example.com': [{ op: 'add', path: '/metadata/labels/seen', value: 'yes' }] },
      [
        { op: 'add', path: '/metadata/annotations', value: { by: 'first' } },
        { op: 'add', path: '/spec/containers/0/env/-', value: { name: 'REGION', value: 'eu' } },
      ],
    );
    expect(short(result)).toEqual([
      ['metadata.labels.seen', 'added', 'other.example.com'],
      ['metadata.annotations', 'added', 'injector-0'],
      ['spec.containers[app].env[REGION]', 'added', 'injector-1'],
    ]);
    expect(result.changes[1]).toMatchObject({ reason: 'does 0' });
    expect(result.after).toBe(`apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {team: a, old: "true", seen: "yes"}
  annotations:
    by: first
spec:
  containers:
    - name: app
      image: nginx:1.27
      env:
        - name: HOME
          value: /root
        - name: REGION
          value: eu
      resources:
        limits: {cpu: 0.5}
`);
  });

  test('inside additions of another injector are attributed to their own authors', async () => {
    const result = await view(POD, {}, [
      { op: 'add', path: '/spec/containers/0', value: { name: 'proxy', image: 'proxy:1' } },
      { op: 'add', path: '/spec/containers/0/env', value: [{ name: 'A', value: 'b' }] },
      { op: 'add', path: '/spec/containers/1/workingDir', value: '/srv' },
    ]);
    expect(short(result)).toEqual([
      ['spec.containers[proxy]', 'added', 'injector-0'],
      ['spec.containers[proxy].env', 'added', 'injector-1'],
      ['spec.containers[app].workingDir', 'added', 'injector-2'],
    ]);
    const lines = result.after.split('\n');
    const [first, last] = result.changes[0]?.lines ?? [0, 0];
    expect(lines.slice(first - 1, last)).toEqual([
      '    - name: proxy',
      '      image: proxy:1',
      '      env:',
      '        - name: A',
      '          value: b',
    ]);
  });

  test('in a map that the API server created are attributed to whoever filled it first', async () => {
    const result = await view(POD, {}, [
      { op: 'add', path: '/spec/securityContext/runAsNonRoot', value: true },
    ]);
    expect(short(result)).toEqual([['spec.securityContext', 'added', 'injector-0']]);
    expect(result.after).toContain('  securityContext:\n    runAsNonRoot: true\n');
  });

  test('that replace and remove keep the previous value; an undone change does not show', async () => {
    const result = await view(POD, {}, [
      { op: 'replace', path: '/spec/containers/0/image', value: 'mirror/nginx:1.27' },
      { op: 'remove', path: '/metadata/labels/old' },
      { op: 'replace', path: '/spec/containers/0/env/0/value', value: '/home' },
      { op: 'replace', path: '/spec/containers/0/env/0/value', value: '/root' },
    ]);
    expect(result.changes).toMatchObject([
      { path: 'spec.containers[app].image', type: 'replaced', owner: 'injector-0', before: 'nginx:1.27' },
      { path: 'metadata.labels.old', type: 'removed', owner: 'injector-1', before: 'true' },
    ]);
    expect(result.changes[1]).not.toHaveProperty('lines');
    expect(result.after).toContain('labels: {team: a}');
  });

  test('of the API server show only where it drops a field', async () => {
    const result = await view(POD.replace('spec:\n', 'spec:\n  colour: red\n'), {});
    expect(short(result)).toEqual([['spec.colour', 'removed', 'API server']]);
    expect(result.warnings).toEqual(['unknown field "spec.colour"']);
  });
});

test('a Pod without changes is unchanged, including its text', async () => {
  const result = await view(POD, { 'other.example.com': [] });
  expect(result).toMatchObject({ verdict: 'unchanged', before: POD, after: POD, changes: [] });
});

test('an object that cannot be decoded is denied before the first stop', async () => {
  const result = await view(POD.replace('name: app', 'name: [app]'), {});
  expect(result).toMatchObject({ verdict: 'denied', denial: { code: 400 }, changes: [] });
  expect(result.stops.map(({ title, outcome }) => [title, outcome])).toEqual([
    ['Authentication', 'passed'],
    ['Authorization', 'passed'],
    ['Decoding', 'denied'],
    ['Validation of the API', 'not reached'],
    ['Storage', 'not reached'],
  ]);
});
