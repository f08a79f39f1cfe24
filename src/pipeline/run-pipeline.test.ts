import { describe, expect, test } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { absent, force } from '../graft/directive.ts';
import type { Pod } from '../kube/generated/types.ts';
import type { DeepReadonly, KubeObject } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import { type Context, defineInjector, type Verdict } from '../sdk/injector.ts';
import type { Match } from '../sdk/match.ts';
import { fault, overlay, skip } from '../sdk/verdict.ts';
import { missingNeeds } from './needs.ts';
import { createPipeline, type Entry } from './pipeline.ts';
import { problemsOf } from './problems.ts';
import { requestFor } from './run-manifest.ts';
import { runPipeline } from './run-pipeline.ts';
import { selectStages } from './select-stages.ts';

const pod: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { app: 'web' }, annotations: { mode: 'on' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
};
type Inject = (pod: DeepReadonly<Pod>, context: Context<unknown>) => Verdict;
const entry = (name: string, inject: Inject, match: Match = {}): Entry => ({
  name,
  injector: defineInjector<unknown>({
    name,
    summary: '',
    match: { kinds: ['*'], operations: ['*'] },
    inject,
  }),
  match,
});
const label =
  (key: string, value = 'x'): Inject =>
  () =>
    overlay({ metadata: { labels: { [key]: value } } });
const run = (entries: readonly Entry[], object = pod, cluster = filesView([])) => {
  const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'me' });
  return runPipeline(createPipeline(entries), request, object, cluster);
};
const decisions = (outcome: ReturnType<typeof run>) =>
  outcome.trace.map(({ injector, decision, round }) => `${injector} ${decision} ${round}`);

describe('running to a fixpoint', () => {
  test('an overlay made of parts of the object does not change the object', () => {
    const twin = entry('twin', ({ spec }) => {
      const [web] = spec.containers ?? [];
      const env = [{ name: 'A', value: '1' }];
      return overlay({
        spec: { containers: [{ ...web, env }], initContainers: [{ ...web, name: 'twin' }] },
      });
    });
    const before = structuredClone(pod);
    run([twin, entry('label', label('a'))]);
    expect(pod).toEqual(before);
  });

  test('an object may need any number of operations', () => {
    const annotations = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`a${index}`, '']));
    const outcome = run([entry('many', () => overlay({ metadata: { annotations } }))]);
    expect(outcome.allowed && outcome.patch.length).toBe(200_000);
  });

  test('an injector that builds on its own result settles one round later', () => {
    const mirror: Inject = ({ spec, metadata }) => {
      const [web] = spec.containers ?? [];
      if (!web?.image?.startsWith('mirror/'))
        return overlay({ spec: { containers: [{ name: 'web', image: force('mirror/nginx') }] } });
      return metadata.labels?.mirrored
        ? skip('done')
        : overlay({ metadata: { labels: { mirrored: 'yes' } } });
    };
    const outcome = run([entry('mirror', mirror)]);
    expect(decisions(outcome)).toEqual(['mirror grafted 1', 'mirror grafted 2']);
    expect(outcome).toMatchObject({ object: { metadata: { labels: { mirrored: 'yes' } } } });
  });

  test('each injector sees the final object', () => {
    const seen: string[] = [];
    const watch = (name: string) =>
      entry(name, ({ metadata }) => {
        seen.push(`${name} ${Object.keys(metadata.labels ?? {})}`);
        return skip('');
      });
    run([watch('first'), entry('label', label('a')), watch('last')]);
    expect(seen).toEqual(['first app', 'last app,a', 'first app,a']);
  });

  test('an injector sees the changes of an earlier one in the same round', () => {
    const outcome = run([
      entry('first', label('a')),
      entry('second', (object) =>
        object.metadata.labels?.a ? overlay({ metadata: { labels: { b: 'x' } } }) : skip('no a'),
      ),
    ]);
    expect(decisions(outcome)).toEqual(['first grafted 1', 'second grafted 1']);
  });

  test('an injector sees the changes of a later one in the next round', () => {
    const waiting: Inject = (object) =>
      object.metadata.labels?.a ? overlay({ metadata: { labels: { b: 'x' } } }) : skip('no a');
    const outcome = run([entry('waiting', waiting), entry('late', label('a'))]);
    expect(decisions(outcome)).toEqual(['waiting skipped 1', 'late grafted 1', 'waiting grafted 2']);
    expect(outcome).toMatchObject({ allowed: true, object: { metadata: { labels: { a: 'x', b: 'x' } } } });
  });

  test('a chain in the worst order settles in n+1 rounds', () => {
    const given =
      (need: string, key: string): Inject =>
      (object) =>
        object.metadata.labels?.[need]
          ? overlay({ metadata: { labels: { [key]: 'x' } } })
          : skip(`no ${need}`);
    const chain = [
      entry('d', given('c', 'd')),
      entry('c', given('b', 'c')),
      entry('b', given('a', 'b')),
      entry('a', label('a')),
    ];
    expect(run(chain)).toMatchObject({
      object: { metadata: { labels: { a: 'x', b: 'x', c: 'x', d: 'x' } } },
    });
  });

  test.each([
    [
      'two forced values',
      () => overlay({ spec: { priority: force(1) } }),
      () => overlay({ spec: { priority: force(2) } }),
      '/spec/priority',
    ],
    [
      'one adds, one removes',
      label('z'),
      () => overlay({ metadata: { labels: { z: absent() } } }),
      '/metadata/labels/z',
    ],
    [
      'two that must be first',
      () => overlay({ spec: { containers: [{ name: 'a', $at: { first: true, keep: true } }] } }),
      () => overlay({ spec: { containers: [{ name: 'b', $at: { first: true, keep: true } }] } }),
      '/spec/containers',
    ],
    [
      'a container that comes and goes',
      () => overlay({ spec: { containers: [{ name: 'a', image: 'a' }] } }),
      () => overlay({ spec: { containers: [absent({ name: 'a' })] } }),
      '/spec/containers',
    ],
  ] as [string, Inject, Inject, string][])('%s: both are named, and the place', (_, left, right, place) => {
    expect(() => run([entry('left', left), entry('other', label('o')), entry('right', right)])).toThrow(
      `Injectors "left" and "right" do not agree on "${place}"`,
    );
  });

  test('an injector that keeps changing its own result is named alone', () => {
    const growing: Inject = (object) => overlay({ metadata: { name: force(`${object.metadata.name}x`) } });
    expect(() => run([entry('growing', growing)])).toThrow(
      'Injector "growing" does not settle: it changes "/metadata/name" again',
    );
  });

  test('of two that do not agree, the one that may be skipped is', () => {
    const prioritize =
      (value: number): Inject =>
      () =>
        overlay({ spec: { priority: force(value) } });
    const optional = { ...entry('optional', prioritize(1)), onError: 'skip' as const };
    const outcome = run([optional, entry('late', label('a')), entry('needed', prioritize(2))]);
    expect(outcome).toMatchObject({
      allowed: true,
      object: { metadata: { labels: { a: 'x' } }, spec: { priority: 2 } },
      warnings: [
        'Injector "optional" failed: Injectors "optional" and "needed" do not agree on "/spec/priority"; it was skipped',
      ],
    });
    expect(decisions(outcome)).toEqual(['optional failed 1', 'late grafted 1', 'needed grafted 1']);
  });

  test('one that never settles is skipped if it may be', () => {
    const growing: Inject = (object) => overlay({ metadata: { name: force(`${object.metadata.name}x`) } });
    const outcome = run([
      { ...entry('growing', growing), onError: 'skip' as const },
      entry('other', label('a')),
    ]);
    expect(outcome).toMatchObject({ allowed: true, object: { metadata: { labels: { a: 'x' } } } });
    expect(outcome).not.toMatchObject({ object: { metadata: { name: expect.stringContaining('xx') } } });
  });

  test('kept values and warnings are reported once', () => {
    const warning: Inject = () => ({
      ...overlay({ metadata: { labels: { app: 'mine' } } }),
      warnings: ['mind the label'],
    });
    const outcome = run([entry('warning', warning), entry('late', label('a'))]);
    expect(outcome).toMatchObject({ warnings: ['mind the label'] });
    expect(outcome.trace[0]).toMatchObject({
      kept: [{ path: '/metadata/labels/app', found: 'web', wanted: 'mine' }],
    });
  });

  test('a denial ends the run', () => {
    const outcome = run([
      entry('first', label('a')),
      entry('no', () => ({ deny: 'because' })),
      entry('last', label('b')),
    ]);
    expect(outcome).toMatchObject({ allowed: false, reason: 'because', injector: 'no' });
    expect(decisions(outcome)).toEqual(['first grafted 1', 'no denied 1']);
  });

  test.each<[string, () => unknown, string]>([
    ['nothing', () => undefined, 'inject returned no verdict'],
    ['something else', () => ({ overlays: {} }), 'inject returned no verdict'],
    ['an overlay that is not a map', () => ({ overlay: 'x' }), 'inject returned no verdict'],
    ['a promise', async () => skip('later'), 'inject returned a promise'],
    ['a promise that is broken', () => Promise.reject(new Error('later')), 'inject returned a promise'],
  ])('an injector that returns %s has failed', (_, inject, message) => {
    const wrong = entry('wrong', inject as Inject);
    expect(() => run([wrong])).toThrow(`Injector "wrong" failed: ${message}, expected overlay(...)`);
  });

  test('a fault of the object denies it, or skips the injector with onError: skip', () => {
    const bad = entry('bad', () => fault(new Error('no such key: level')));
    const reason = 'Injector "bad" failed: no such key: level';
    expect(run([bad])).toEqual({
      allowed: false,
      reason,
      injector: 'bad',
      trace: [{ injector: 'bad', round: 1, decision: 'denied', reason }],
    });
    const skipped = run([{ ...bad, onError: 'skip' }, entry('label', label('a'))]);
    expect(decisions(skipped)).toEqual(['bad failed 1', 'label grafted 1']);
    expect(skipped).toMatchObject({ allowed: true, warnings: [`${reason}; it was skipped`] });
  });

  test('an exception names the injector and keeps its cause', () => {
    const cause = new Error('boom');
    const throwing = entry('bad', () => {
      throw cause;
    });
    expect(() => run([throwing])).toThrow(
      expect.objectContaining({ code: 'INJECTOR_FAILED', message: 'Injector "bad" failed: boom', cause }),
    );
  });
});

describe('matching', () => {
  const reason = (match: Match, object = pod, cluster = filesView([])) => {
    const [step] = run([entry('it', label('a'), match)], object, cluster).trace;
    return step?.decision === 'unmatched' ? step.reason : step?.decision;
  };
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { team: 'a' } },
  };

  test.each([
    [{}, 'grafted'],
    [{ kinds: ['Deployment'] }, 'not for kind Pod'],
    [{ kinds: ['*'] }, 'grafted'],
    [{ operations: ['UPDATE'] }, 'not for operation CREATE'],
    [{ operations: ['*'] }, 'grafted'],
    [{ namespaces: ['other', 'sh*'] }, 'grafted'],
    [{ namespaces: ['other'] }, 'namespaces do not include "shop"'],
    [{ objectSelector: { matchLabels: { app: 'web' } } }, 'grafted'],
    [
      { objectSelector: { matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] } },
      'objectSelector does not match the labels',
    ],
    [{ annotations: { mode: 'on' } }, 'grafted'],
    [{ annotations: { mode: 'off' } }, 'annotation "mode" is not "off"'],
    [{ annotations: { constructor: 'x' } }, 'no annotation "constructor"'],
    [{ namespaceSelector: { matchLabels: { team: 'a' } } }, 'grafted'],
    [
      { namespaceSelector: { matchLabels: { team: 'b' } } },
      'namespaceSelector does not match namespace "shop"',
    ],
    [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } }, 'grafted'],
  ] as [Match, string][])('%j: %s', (match, expected) => {
    expect(reason(match, pod, filesView([namespace]))).toBe(expected);
  });

  test('an unknown namespace has the label with its name', () => {
    expect(reason({ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'shop' } } })).toBe(
      'grafted',
    );
  });

  test('is evaluated again after another injector has changed the labels', () => {
    const outcome = run([
      entry('it', label('b'), { objectSelector: { matchLabels: { a: 'x' } } }),
      entry('late', label('a')),
    ]);
    expect(outcome).toMatchObject({ object: { metadata: { labels: { b: 'x' } } } });
  });

  test('the configuration cannot widen the match of an injector', () => {
    const injector = defineInjector({
      name: 'pods',
      summary: '',
      match: { kinds: ['Pod'] },
      inject: () => skip(''),
    });
    expect(() => createPipeline([{ name: 'x', injector, match: { kinds: ['Deployment'] } }])).toThrow(
      'match.kinds: the injector does not support "Deployment.apps", only Pod',
    );
  });
});

test('only matching injectors need objects that the view lacks', () => {
  const ref = builtin('ServiceAccount');
  const needy = defineInjector({
    name: 'needy',
    summary: '',
    match: {},
    needs: () => [{ ref, namespace: 'shop', name: 'default' }],
    inject: () => skip(''),
  });
  const request = requestFor(pod, { operation: 'CREATE', namespace: 'shop', username: 'me' });
  const needs = (match: Match, objects: KubeObject[] = []) => {
    const cluster = filesView(objects);
    const pipeline = createPipeline([{ name: 'needy', injector: needy, match }]);
    const selection = selectStages(pipeline, request, pod, cluster);
    return missingNeeds(selection, request, pod, cluster).map((need) => `${need.ref.kind} ${need.name}`);
  };
  expect(needs({})).toEqual(['Namespace shop', 'ServiceAccount default']);
  expect(needs({ annotations: { mode: 'off' } })).toEqual(['Namespace shop']);
  const account = {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'default', namespace: 'shop' },
  };
  expect(needs({}, [account])).toEqual(['Namespace shop']);
});

test('an exception of problems() is a problem', () => {
  const { injector } = entry('odd', () => skip(''));
  const problems = () => {
    throw new Error('not now');
  };
  const pipeline = createPipeline([{ name: 'odd', injector: { ...injector, problems } }]);
  expect(problemsOf(pipeline, filesView([]))).toEqual([
    { injector: 'odd', problem: 'not now', severity: 'warning' },
  ]);
});

describe('a Pod that an injector has made invalid', () => {
  const mount = { name: 'a' } as unknown as { name: string; mountPath: string };
  const breaks = entry('breaks', () =>
    overlay({ spec: { containers: [{ name: 'web', volumeMounts: { $force: [mount] } as never }] } }),
  );
  const lengths: Inject = ({ spec }) => {
    const paths = spec.containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
    return paths.every(({ mountPath }) => mountPath.startsWith('/')) ? skip('fine') : skip('relative');
  };

  test('is left to the API server where another injector cannot handle it', () => {
    const outcome = run([breaks, entry('lengths', lengths)]);
    expect(outcome.allowed).toBe(true);
    expect(outcome.trace.at(-1)).toEqual({
      injector: 'lengths',
      round: 1,
      decision: 'unmatched',
      reason: 'the Pod is invalid: spec.containers[0].volumeMounts[0].mountPath is missing',
    });
  });

  test('does not hide exceptions about valid Pods', () => {
    const throws = entry('throws', () => {
      throw new Error('no');
    });
    expect(() => run([throws])).toThrow('Injector "throws" failed: no');
  });
});

describe('an object that is too large', () => {
  const every = entry(
    'every',
    (object) => {
      const { template } = (object as unknown as { spec: { template: { spec: { containers: Named[] } } } })
        .spec;
      const containers = template.spec.containers.map(({ name }) => ({ name, image: 'x' }));
      return overlay({ spec: { template: { spec: { containers } } } } as never);
    },
    { kinds: ['*'] },
  );
  interface Named {
    readonly name: string;
  }
  const workload = (apiVersion: string, kind: string, containers: number): KubeObject => {
    const list = Array.from({ length: containers }, (_, index) => ({ name: `c${index}` }));
    const metadata = { name: 'web' };
    return { apiVersion, kind, metadata, spec: { template: { spec: { containers: list } } } } as KubeObject;
  };

  test('is a workload with more containers than a Pod may have', () => {
    const { trace } = run([every], workload('apps/v1', 'Deployment', 2001));
    const reason = 'the Pod template is too large: it has more than 2000 containers';
    expect(trace).toEqual([{ injector: 'every', round: 1, decision: 'unmatched', reason }]);
    expect(decisions(run([every], workload('apps/v1', 'Deployment', 2000)))).toEqual(['every grafted 1']);
  });

  test('may be a custom resource, whose lists have any length', () => {
    const { trace } = run([every], workload('example.com/v1', 'Deployment', 50_000));
    const reason = 'the object is too large: it has more than 100000 values';
    expect(trace).toEqual([{ injector: 'every', round: 1, decision: 'unmatched', reason }]);
    expect(decisions(run([every], workload('example.com/v1', 'Deployment', 2001)))).toEqual([
      'every grafted 1',
    ]);
  });

  test('may be a Pod with lists that no injector reads', () => {
    const tolerations = Array.from({ length: 100_000 }, () => ({}));
    const large = { ...pod, spec: { containers: [{ name: 'web' }], tolerations } };
    const reason = 'the Pod is invalid: it has more than 100000 values';
    expect(run([entry('label', label('a'))], large).trace).toMatchObject([{ reason }]);
  });
});

describe('the warnings of a call are bounded', () => {
  const warningsOf = (warnings: readonly string[]) => {
    const outcome = run([entry('loud', () => skip('no reason', warnings))]);
    return outcome.allowed ? outcome.warnings : [];
  };

  test('in number', () => {
    const many = Array.from({ length: 5000 }, (_, index) => `warning ${index}`);
    expect(warningsOf(many)).toEqual([...many.slice(0, 100), 'and 4900 more']);
    expect(warningsOf(many.slice(0, 100))).toEqual(many.slice(0, 100));
  });

  test('in length', () => {
    expect(warningsOf(['x'.repeat(4097)])).toEqual([`${'x'.repeat(4096)}…`]);
  });

  test('by the memory that shortening them takes', () => {
    const name = 'x'.repeat(600_000);
    const long = Array.from({ length: 5000 }, (_, index) => `${index} of ${name}`);
    const found = warningsOf(long);
    expect(found).toHaveLength(3);
    expect(found[2]).toBe('and 4998 more');
  });
});
