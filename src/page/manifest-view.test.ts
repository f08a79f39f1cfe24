import { expect, it } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { parseConfigText } from '../config/load-config.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { runManifest } from '../pipeline/run-manifest.ts';
import { parseDocument } from '../yaml/parse-document.ts';
import { manifestView } from './manifest-view.ts';

const CONFIG = `apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: stamp, use: metadata, with: {annotations: {injected-by: me}}}
  - name: defaults
    use: overlay
    with:
      overlay:
        spec:
          securityContext: {runAsNonRoot: true}
          containers: [{name: "*", imagePullPolicy: Never, env: [{name: REGION, value: eu}]}]
  - {name: replicas, use: overlay, match: {kinds: [Deployment]}, with: {overlay: {spec: {replicas: {$atLeast: 2}}}}}
`;

const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1 # too few
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - {name: web, image: nginx, env: [{name: REGION, value: us}]}
`;

async function view(text: string) {
  const { pipeline } = await parseConfigText(CONFIG, 'podgraft.yaml');
  const sent = parseDocument(text).value as unknown as KubeObject;
  const request = { operation: 'CREATE', namespace: 'default', username: 'me', defaults: true } as const;
  const outcome = runManifest(pipeline, sent, request, filesView([sent]));
  const summary = { uid: '1', time: '', kind: sent.kind, name: 'web', namespace: '', operation: 'CREATE' };
  return manifestView({
    request: { ...summary, user: '', dryRun: true, milliseconds: 0 },
    sent,
    text,
    outcome,
    stages: pipeline.stages,
    problems: [],
  });
}

it('shows changes of a workload and of its template in the text of its author, without defaults', async () => {
  const { after, changes, verdict } = await view(DEPLOYMENT);
  expect(verdict).toBe('changed');
  expect(changes.map(({ owner, path, type, lines }) => [owner, type, path, lines])).toEqual([
    ['replicas', 'replaced', 'spec.replicas', [5, 5]],
    ['stamp', 'added', 'spec.template.metadata.annotations', [8, 8]],
    ['defaults', 'added', 'spec.template.spec.securityContext', [12, 13]],
  ]);
  expect(after).toContain('  replicas: 2 # too few\n');
  expect(after).not.toContain('terminationGracePeriodSeconds');
});

it('shows what was kept, and which injectors did nothing', async () => {
  const { kept, injectors, stops } = await view(DEPLOYMENT);
  expect(kept).toContainEqual({
    path: 'spec.template.spec.containers[web].env[REGION].value',
    owner: 'defaults',
    wanted: 'eu',
    found: 'us',
  });
  expect(injectors.map(({ name, outcome }) => `${name} ${outcome}`)).toEqual([
    'stamp changed',
    'defaults changed',
    'replicas changed',
  ]);
  expect(stops.map(({ title, outcome }) => `${title} ${outcome}`)).toEqual([
    'stamp skipped',
    'defaults skipped',
    'replicas changed',
    'stamp (Pod) changed',
    'defaults (Pod) changed',
    'replicas (Pod) skipped',
  ]);
});
