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

describe('resources of the whole Pod', () => {
  const requests = (memory: string) => ({ requests: { memory } });
  const container = (name: string, resources: JsonObject) => ({ name, image: name, resources });
  const shared = { resources: requests('100Mi') };
  const two = { ...shared, containers: [container('a', requests('100Mi')), container('b', requests('1'))] };

  test('have messages that name the amount', () => {
    const limits = { cpu: '200m', memory: '50Mi' };
    const spec = { resources: { limits }, containers: [container('a', { limits: { cpu: 2 } })] };
    const init = { initContainers: [container('setup', requests('64Mi'))] };
    expect(podValidationProblems({ kind: 'Pod', spec: { ...spec, ...init } })).toEqual([
      {
        path: '/spec/resources/requests/memory',
        message: 'expected at most the limit "50Mi", but defaults to what the containers request together',
      },
      {
        path: '/spec/resources/requests/cpu',
        message: 'expected at most the limit "200m", but defaults to what the containers request together',
      },
      {
        path: '/spec/containers/0/resources/limits/cpu',
        message: 'container "a": expected at most the Pod\'s limit "200m", found 2',
      },
    ]);
    expect(podValidationProblems({ spec: two })).toEqual([
      {
        path: '/spec/resources/requests/memory',
        message: 'expected at least what the containers request together, found "100Mi"',
      },
    ]);
  });

  test('of a template are not filled in from its limits', () => {
    const spec = {
      resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } },
      containers: [container('a', { limits: { cpu: '2' }, ...requests('2Gi') })],
    };
    expect(podValidationProblems({ spec })).toEqual([]);
    expect(podValidationProblems({ kind: 'Pod', spec })).toHaveLength(2);
  });

  test('have huge pages for all containers together', () => {
    const pages = { 'hugepages-2Mi': '4Mi' };
    const limits = { cpu: '1', ...pages };
    const each = { limits: pages };
    const spec = { resources: { limits }, containers: [container('a', each), container('b', each)] };
    expect(podValidationProblems({ spec }).map(({ path }) => path)).toEqual([
      '/spec/resources/limits/hugepages-2Mi',
    ]);
  });

  test('are rounded up to thousandths before they are added', () => {
    const each = { requests: { cpu: '100u' } };
    const spec = { resources: { requests: { cpu: '1m' } }, containers: [container('a', each)] };
    expect(podValidationProblems({ spec })).toEqual([]);
    expect(
      podValidationProblems({ spec: { ...spec, containers: [...spec.containers, container('b', each)] } }),
    ).toHaveLength(1);
  });

  test('are checked again only if they or a container have changed', () => {
    const changed = (change: JsonObject) =>
      podValidationProblems({ spec: { ...two, ...change } }, [], { spec: two }).map(({ path }) => path);
    expect(changed({ hostPID: true })).toEqual([]);
    expect(changed({ resources: { ...shared.resources } })).toEqual(['/spec/resources/requests/memory']);
    expect(changed({ containers: [...two.containers] })).toEqual(['/spec/resources/requests/memory']);
  });

  test('take linear time', () => {
    const many = Array.from({ length: 5000 }, (_, at) => at);
    const amounts = Object.fromEntries(many.map((at) => [`hugepages-${at}`, '1e99']));
    const containers = [
      container('a', { requests: amounts, limits: amounts }),
      ...many.map((at) => container(`c${at}`, { requests: { memory: '1', cpu: '1.5e3' } })),
    ];
    const resources = { requests: { ...amounts, memory: '1Mi' }, limits: amounts };
    const start = performance.now();
    podValidationProblems({ kind: 'Pod', spec: { resources, containers, initContainers: containers } });
    expect(performance.now() - start).toBeLessThan(2000);
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
    const resources = { requests: value, limits: { cpu: value } };
    const container = { name: 'a', image: 'a', resources };
    podValidationProblems({ kind: 'Pod', spec: { resources, containers: [container, value] } });
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
