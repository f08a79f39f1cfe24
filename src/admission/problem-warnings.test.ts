import { expect, test } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { overlay } from '../injectors/overlay/overlay.ts';
import type { JsonObject } from '../json/json.ts';
import { createPipeline } from '../pipeline/pipeline.ts';
import { answerReview, type FinalCheck } from './answer-review.ts';

const ports = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: 'http', containerPort: 8080 + at }));

function warningsOf(spec: JsonObject, added: JsonObject, finalCheck?: FinalCheck): readonly string[] {
  const config = overlay.config?.({ overlay: { spec: added } });
  const pipeline = createPipeline([{ name: 'ports', injector: overlay, config }]);
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      name: 'p',
      namespace: 'shop',
      operation: 'CREATE',
      userInfo: { username: 'me' },
      object: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec },
    },
  };
  const answer = answerReview(Buffer.from(JSON.stringify(review)), {
    pipeline,
    cluster: filesView([]),
    ...(finalCheck && { finalCheck }),
  });
  if (answer instanceof Promise) throw new Error('expected an answer at once');
  expect(answer.allowed).toBe(true);
  return (JSON.parse(answer.body) as { response: { warnings?: string[] } }).response.warnings ?? [];
}

const web = { name: 'web', image: 'nginx', ports: [{ name: 'http', containerPort: 80 }] };
const every = (count: number) => ({ containers: [{ name: '*', ports: ports(count) }] });

test('a Pod that injection makes invalid passes with a warning that names the injector', () => {
  expect(warningsOf({ containers: [web] }, every(1))).toEqual([
    'injector "ports" makes the object invalid: /spec/containers/0/ports/1/name: container "web": duplicate port name "http"',
  ]);
});

test('a container that exceeds the resources of the Pod is named', () => {
  const shared = { resources: { requests: { memory: '100Mi' }, limits: { cpu: '200m' } } };
  const app = { ...web, resources: { requests: { memory: '100Mi' } } };
  const added = (resources: JsonObject) => ({ containers: [{ name: 'proxy', image: 'proxy', resources }] });
  const forced = { requests: { memory: { $force: '28Mi' } }, limits: { cpu: { $force: '2' } } };
  const spec = { ...shared, containers: [app] };
  expect(warningsOf(spec, added(forced))).toEqual([
    'injector "ports" makes the object invalid: /spec/resources/requests/memory: expected at least what the containers request together, found "100Mi"',
    'injector "ports" makes the object invalid: /spec/resources/requests/cpu: expected at most the limit "200m", but defaults to what the containers request together',
    'injector "ports" makes the object invalid: /spec/containers/1/resources/limits/cpu: container "proxy": expected at most the Pod\'s limit "200m", found "2"',
  ]);
  expect(warningsOf(spec, added({ requests: { memory: '28Mi' }, limits: { cpu: '2' } }))).toEqual([]);
  // Its author already requested too much.
  const larger = { ...app, resources: { requests: { memory: '200Mi' } } };
  expect(warningsOf({ ...shared, containers: [larger] }, added({ requests: forced.requests }))).toEqual([]);
});

test('a few warnings are enough', () => {
  const warnings = warningsOf({ containers: [web] }, every(10));
  expect(warnings).toHaveLength(4);
  expect(warnings.at(-1)).toBe('injection makes the object invalid at 7 more places');
});

test('what the author got wrong is left to the API server', () => {
  const spec = { restartPolicy: 'Sometimes', containers: [{ name: 'web', image: 'nginx' }] };
  expect(warningsOf(spec, every(1))).toEqual([]);
});

test('a valid result has no warning', () => {
  expect(warningsOf({ containers: [{ name: 'web', image: 'nginx' }] }, every(1))).toEqual([]);
});
