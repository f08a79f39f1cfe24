import { describe, expect, test } from 'vitest';
import { INVALID, VALID } from '../../test/pod-samples.ts';
import type { JsonObject } from '../json/json.ts';
import { podValidationProblems } from './pod-validation.ts';

describe('what the API server rejects', () => {
  test.each(INVALID.map(({ title, path, pod }) => [title, path, pod] as const))('%s', (_, path, pod) => {
    expect(podValidationProblems(pod).map((problem) => problem.path)).toEqual([path]);
  });
});

test.each(VALID.map(({ title, pod }) => [title, pod] as const))('no problem: %s', (_, pod) => {
  expect(podValidationProblems(pod)).toEqual([]);
});

test('messages name the container and the value', () => {
  const ports = [
    { name: 'http', containerPort: 80 },
    { name: 'http', containerPort: 81 },
  ];
  const pod = { metadata: {}, spec: { containers: [{ name: 'web', image: 'nginx', ports }] } };
  expect(podValidationProblems(pod)).toEqual([
    { path: '/spec/containers/0/ports/1/name', message: 'container "web": duplicate port name "http"' },
  ]);
});

test('the volumes of claim templates count', () => {
  const volumeMounts = [{ name: 'data', mountPath: '/data' }];
  const pod = { spec: { containers: [{ name: 'db', image: 'db', volumeMounts }] } };
  expect(podValidationProblems(pod)).toHaveLength(1);
  expect(podValidationProblems(pod, ['data'])).toEqual([]);
});

describe('parts that are the same as before', () => {
  const web = { name: 'web', image: '', volumeMounts: [{ name: 'data', mountPath: '/data' }] };
  const host = { name: 'host', image: 'i', ports: [{ containerPort: 80, hostPort: 80 }] };
  const labels = { 'not a key': '' };
  const volumes = [{ name: 'data', emptyDir: {} }];
  const before = { metadata: { labels }, spec: { volumes, containers: [web, host] } };
  const pathsOf = (metadata: JsonObject, spec: JsonObject) =>
    podValidationProblems({ metadata, spec }, [], before).map(({ path }) => path);

  test('are not checked again', () => {
    expect(podValidationProblems(before)).toHaveLength(2);
    expect(pathsOf({ labels, annotations: {} }, { ...before.spec, hostPID: true })).toEqual([]);
  });

  test('are not skipped in a changed container or in changed labels', () => {
    const containers = [{ ...web, tty: true }, host];
    expect(pathsOf({ labels: { ...labels, 'a b': '' } }, { volumes, containers })).toEqual([
      '/metadata/labels/a b',
      '/spec/containers/0/image',
    ]);
  });

  test('are skipped inside a changed container', () => {
    const [env, resources] = [[{ name: 'A=B' }], { limits: { cpu: 'lots' } }];
    const spec = { containers: [{ name: 'web', image: 'i', env, resources }] };
    const changed = (change: JsonObject) => {
      const containers = [{ ...spec.containers[0], ...change }];
      return podValidationProblems({ spec: { containers } }, [], { spec }).map(({ path }) => path);
    };
    expect(changed({ tty: true })).toEqual([]);
    expect(changed({ env: [...env, { name: 'C=D' }] })).toEqual(['/spec/containers/0/env/1/name']);
    expect(changed({ env: [{ name: 'C=D' }, ...env] })).toEqual(['/spec/containers/0/env/0/name']);
    expect(changed({ env: env.map((entry) => ({ ...entry })) })).toEqual(['/spec/containers/0/env/0/name']);
    expect(changed({ resources: { ...resources } })).toEqual(['/spec/containers/0/resources/limits/cpu']);
  });

  test('are checked again if something has changed on which they depend', () => {
    const { containers } = before.spec;
    const mount = '/spec/containers/0/volumeMounts/0/name';
    expect(pathsOf({}, { containers })).toEqual(['/spec/containers/0/image', mount]);
    const mapped = { ...host, ports: [{ containerPort: 8080, hostPort: 80 }] };
    const onHost = { containers: [mapped], hostNetwork: true };
    const notOnHost = { spec: { containers: [mapped] } };
    expect(podValidationProblems({ spec: onHost }, [], notOnHost).map(({ path }) => path)).toEqual([
      '/spec/containers/0/ports/0/hostPort',
    ]);
    const taken = { ...host, name: 'new' };
    expect(pathsOf({}, { volumes, containers: [taken, ...containers] })).toEqual([
      '/spec/containers/2/ports/0/hostPort',
    ]);
  });
});

test('values of any type are tolerated', () => {
  const odd = [null, 5, 'text', [], {}, [null], [5], [[]]];
  const fields = [
    'name',
    'image',
    'ports',
    'env',
    'volumeMounts',
    'resources',
    'securityContext',
    'lifecycle',
  ];
  for (const value of odd) {
    podValidationProblems({ metadata: value, spec: value });
    podValidationProblems({ metadata: { labels: value, annotations: value }, spec: { volumes: value } });
    for (const field of fields) {
      const container: JsonObject = { name: 'a', image: 'a', [field]: value };
      podValidationProblems({ spec: { containers: [container], initContainers: value, volumes: [value] } });
    }
  }
});

test('takes linear time', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => at);
  const container = {
    name: 'a',
    image: 'a',
    env: many.map((at) => ({ name: `E${at}` })),
    volumeMounts: many.map((at) => ({ name: `v${at}`, mountPath: `/m${at}` })),
    ports: many.map((at) => ({ name: `p${at}`, containerPort: at + 1 })),
  };
  const start = performance.now();
  podValidationProblems({
    spec: { volumes: many.map((at) => ({ name: `v${at}` })), containers: [container] },
  });
  expect(performance.now() - start).toBeLessThan(1000);
});

test('the number of problems is limited', () => {
  const volumeMounts = Array.from({ length: 5000 }, (_, index) => ({ name: 'none', mountPath: `/${index}` }));
  const pod = {
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'web', image: 'x', volumeMounts }] },
  };
  expect(podValidationProblems(pod)).toHaveLength(500);
});
