import { describe, expect, test } from 'vitest';
import { filesView } from '../../cluster/views/files-view.ts';
import { textFiles } from '../../files/text-files.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { createPipeline } from '../../pipeline/pipeline.ts';
import { requestFor } from '../../pipeline/run-manifest.ts';
import { runPipeline } from '../../pipeline/run-pipeline.ts';
import { NO_CALLS } from '../../sdk/calls.ts';
import { opentelemetry } from './opentelemetry.ts';

const PREFIX = 'instrumentation.opentelemetry.io';
const SDK = { [`${PREFIX}/inject-sdk`]: 'true' };

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

function instrumentation(spec: object = {}): KubeObject {
  const metadata = { name: 'default', namespace: 'shop' };
  return { apiVersion: 'opentelemetry.io/v1alpha1', kind: 'Instrumentation', metadata, spec };
}

function podWith(annotations: object, spec: object = {}, metadata: object = {}): KubeObject {
  const containers = [{ name: 'web', image: 'web:1' }];
  const own = { name: 'web', namespace: 'shop', annotations: annotations as never, ...metadata };
  return { apiVersion: 'v1', kind: 'Pod', metadata: own, spec: { containers, ...spec } };
}

/** The verdict, its time in milliseconds and its messages. */
function run(pod: KubeObject, objects: readonly KubeObject[] = [instrumentation()], options: object = {}) {
  const config = opentelemetry.config?.({ languages: ['java', 'nodejs', 'apache-httpd', 'sdk'], ...options });
  const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'test' });
  const context = {
    request,
    cluster: filesView(objects),
    files: textFiles({}),
    calls: NO_CALLS,
    config: config as never,
  };
  const before = process.cpuUsage();
  const verdict = opentelemetry.inject(pod as never, context);
  const { user, system } = process.cpuUsage(before);
  const time = (user + system) / 1000;
  const warnings = 'warnings' in verdict ? (verdict.warnings ?? []) : [];
  const reason = 'deny' in verdict ? verdict.deny : 'skip' in verdict ? verdict.skip : '';
  return { verdict, time, warnings, text: [...warnings, reason].join('\n') };
}

describe('time and answers are bounded', () => {
  test.each([
    [100, ''],
    [101, 'cannot inject java: the Instrumentation lists 101 extensions, more than 100'],
  ])('%s Java extensions', (count, problem) => {
    const extensions = numbers(count).map((number) => ({ image: `extension:${number}`, dir: '/x' }));
    const java = podWith({ [`${PREFIX}/inject-java`]: 'true' });
    expect(run(java, [instrumentation({ java: { extensions } })]).warnings.join()).toBe(problem);
  });

  test('thousands of own attributes and of resource annotations', () => {
    const own = numbers(8000).map((number) => `own${number}=1`);
    const annotations = numbers(8000).map((number) => [`resource.opentelemetry.io/a${number}`, '2']);
    const env = [{ name: 'OTEL_RESOURCE_ATTRIBUTES', value: own.join(',') }];
    const containers = [{ name: 'web', image: 'web:1', env }];
    const { verdict, time } = run(podWith({ ...SDK, ...Object.fromEntries(annotations) }, { containers }));
    expect(verdict).toHaveProperty('overlay');
    expect(time).toBeLessThan(500);
  });

  test.each(['sdk', 'java'])('64,000 container names for %s', (language) => {
    const names = numbers(64_000).map((number) => `c${number}`);
    const annotations = {
      [`${PREFIX}/inject-${language}`]: 'true',
      [`${PREFIX}/container-names`]: names.join(','),
    };
    const { warnings, text, time } = run(podWith(annotations));
    expect(warnings.at(-1)).toBe(`cannot inject ${language} into 63990 more containers: not found`);
    expect(text.length).toBeLessThan(2000);
    expect(time).toBeLessThan(500);
  });

  test('2,000 named containers', () => {
    const names = numbers(2000).map((number) => `c${number}`);
    const containers = names.map((name) => ({ name, image: 'web:1' }));
    const { warnings, time } = run(
      podWith({ ...SDK, [`${PREFIX}/container-names`]: names.join(',') }, { containers }),
    );
    expect(warnings).toEqual([]);
    expect(time).toBeLessThan(1000);
  });

  test('a configuration that would be repeated too often', () => {
    const names = numbers(2000).map((number) => `c${number}`);
    const containers = names.map((name) => ({ name, image: 'web:1' }));
    const annotations = {
      ...SDK,
      [`${PREFIX}/container-names`]: names.join(','),
      'resource.opentelemetry.io/long': 'x'.repeat(200_000),
    };
    const { warnings, time } = run(podWith(annotations, { containers }));
    expect(warnings).toEqual(['cannot inject sdk: the configuration is too large for 2000 containers']);
    expect(time).toBeLessThan(500);
  });

  test('owners that own each other or themselves', () => {
    const owner = (name: string) => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name, uid: name });
    const replicaSets = numbers(22).map((number) => ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `r${number}`,
        namespace: 'shop',
        ownerReferences: [owner(`r${number + 1}`), owner(`r${number + 1}`), owner(`r${number}`)],
      },
    }));
    const pod = podWith(SDK, {}, { ownerReferences: [owner('r0'), owner('r0')] });
    const { verdict, time } = run(pod, [instrumentation(), ...replicaSets]);
    expect(verdict).toHaveProperty('overlay');
    expect(time).toBeLessThan(500);
  });

  test('mounts with 64,000 slashes', () => {
    const volumeMounts = [{ name: 'data', mountPath: `${'/'.repeat(64_000)}x/` }];
    const spec = {
      containers: [{ name: 'web', image: 'web:1', volumeMounts }],
      volumes: [{ name: 'data', emptyDir: {} }],
    };
    const { verdict, time } = run(podWith({ [`${PREFIX}/inject-apache-httpd`]: 'true' }, spec));
    expect(verdict).toHaveProperty('overlay');
    expect(time).toBeLessThan(500);
  });

  test('a chain of references that is longer than the stack', () => {
    const env = numbers(20_000).map((number) => ({ name: `V${number}`, value: `$(V${number - 1})` }));
    const java = { env: [{ name: 'FIRST', value: '$(V19999)' }] };
    const { verdict, time } = run(podWith({ [`${PREFIX}/inject-java`]: 'true' }), [
      instrumentation({ env, java }),
    ]);
    expect(verdict).toHaveProperty('overlay');
    expect(time).toBeLessThan(1000);
  });

  const LONG = 'x'.repeat(1_000_000);

  test.each([
    { [`${PREFIX}/inject-sdk`]: LONG },
    { [`${PREFIX}/inject-sdk`]: `${LONG}/${LONG}` },
    { ...SDK, [`${PREFIX}/container-names`]: `${LONG}!` },
    { ...SDK, [`${PREFIX}/container-names`]: `${LONG},${LONG}` },
    { ...SDK, [`${PREFIX}/container-names`]: LONG },
    { [`${PREFIX}/inject-python`]: 'true', [`${PREFIX}/otel-python-platform`]: LONG },
    { [`${PREFIX}/inject-dotnet`]: 'true', [`${PREFIX}/otel-dotnet-auto-runtime`]: LONG },
    { 'sidecar.opentelemetry.io/inject': LONG },
    { 'sidecar.opentelemetry.io/inject': `${LONG}/${LONG}` },
  ])('messages do not repeat a long annotation (%#)', (annotations) => {
    const languages = ['sdk', 'python', 'dotnet'];
    for (const options of [{ strict: true }, { strict: false }, { sharedNamespaces: ['a'] }]) {
      const { text } = run(podWith(annotations), [instrumentation()], { languages, ...options });
      expect(text).not.toBe('');
      expect(text.length).toBeLessThan(1000);
    }
  });
});

test('an annotation without the name of an attribute is ignored', () => {
  const env = [{ name: 'OTEL_RESOURCE_ATTRIBUTES', value: 'team=red' }];
  const containers = [{ name: 'web', image: 'web:1', env }];
  const { verdict } = run(podWith({ ...SDK, 'resource.opentelemetry.io/': 'x' }, { containers }));
  expect(JSON.stringify(verdict)).toContain('team=red,k8s.container.name=web,');
  expect(JSON.stringify(verdict)).not.toContain(',=x');
});

test.each([
  [{ [`${PREFIX}/inject-sdk`]: true }],
  [{ ...SDK, [`${PREFIX}/container-names`]: 5, 'resource.opentelemetry.io/a': { toString: 1 } }],
])('annotations without quotes are texts (%j)', (annotations) => {
  expect(run(podWith(annotations)).verdict).not.toHaveProperty('deny');
});

test('only objects with possible names in shared namespaces are read for a Pod', () => {
  const config = opentelemetry.config?.({ sharedNamespaces: ['observability'] });
  const pod = podWith({
    [`${PREFIX}/inject-sdk`]: 'observability/a',
    [`${PREFIX}/inject-java`]: 'b',
    [`${PREFIX}/inject-nodejs`]: 'payments/c',
    [`${PREFIX}/inject-python`]: '../../secrets',
    [`${PREFIX}/inject-dotnet`]: 'observability/../d',
  });
  const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'test' });
  const needs = opentelemetry.needs?.(pod as never, { request, config: config as never });
  expect(needs?.map(({ namespace, name }) => `${namespace}/${name}`)).toEqual(['shop/b', 'observability/a']);
});

test.each([' ', 'a: *', 'a -javaagent:b'])('a container called %j gets the agent of Java once', (name) => {
  const pod = podWith({ [`${PREFIX}/inject-java`]: 'true' }, { containers: [{ name, image: 'web:1' }] });
  const config = opentelemetry.config?.({});
  const pipeline = createPipeline([{ name: 'opentelemetry', injector: opentelemetry, config }], []);
  const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'test' });
  const outcome = runPipeline(pipeline, request, pod, filesView([instrumentation()]));
  expect(outcome).toHaveProperty('object.spec.containers.0.env.2', {
    name: 'JAVA_TOOL_OPTIONS',
    value: ` -javaagent:/otel-auto-instrumentation-java-${name}/javaagent.jar`,
  });
});
