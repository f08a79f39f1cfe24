import { beforeAll, describe, expect, it } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import { parseConfigText } from '../config/load-config.ts';
import { applyPatch } from '../json/apply-patch.ts';
import type { JsonObject } from '../json/json.ts';
import { type Answer, answerReview, type ReviewOptions } from './answer-review.ts';
import { createMark, MARK } from './mark.ts';

type Replica = Pick<ReviewOptions, 'pipeline' | 'mark'>;

const head = 'apiVersion: podgraft.dev/v1alpha1\nkind: Config\n';
const entry = (name: string, value: string) =>
  `  - {name: ${name}, use: metadata, with: {annotations: {${name}: ${value}}}}\n`;
const config = (...entries: string[]) => `${head}injectors:\n${entries.join('')}`;

async function replica(text: string): Promise<Replica> {
  const { pipeline, fingerprints } = await parseConfigText(text, 'test.yaml');
  return { pipeline, mark: createMark(fingerprints) };
}

function pod(annotations?: JsonObject | null): JsonObject {
  const metadata = { name: 'web', ...(annotations !== undefined && { annotations }) };
  const spec = { containers: [{ name: 'web', image: 'nginx' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

function answer(by: Replica, object: JsonObject, more: object = {}, options: Partial<ReviewOptions> = {}) {
  const request = {
    uid: 'u',
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    namespace: 'default',
    object,
    ...more,
  };
  const body = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  const all = { ...by, cluster: filesView([]), ...options };
  return JSON.parse((answerReview(Buffer.from(JSON.stringify(body)), all) as Answer).body).response;
}

function mutate(by: Replica, object: JsonObject, more: object = {}): JsonObject {
  const { patch = 'W10=' } = answer(by, object, more);
  return applyPatch(object, JSON.parse(Buffer.from(patch, 'base64').toString())) as JsonObject;
}

function validate(by: Replica, object: JsonObject, more: object = {}): true | string {
  const { allowed, status, warnings } = answer(by, object, more, { finalCheck: 'deny' });
  expect(warnings).toBeUndefined();
  return allowed || status.message;
}

function annotationsOf(object: JsonObject): JsonObject {
  return (object.metadata as { annotations: JsonObject }).annotations;
}

function without(object: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = annotationsOf(object);
  return pod(rest);
}

describe('two replicas during a rolling update', () => {
  let older: Replica;
  let newer: Replica;
  beforeAll(async () => {
    older = await replica(config(entry('team', 'a'), entry('tier', 'old')));
    newer = await replica(config(entry('extra', 'new'), entry('team', 'a'), entry('tier', 'new')));
  });

  it('accept what either of them injected', () => {
    for (const one of [older, newer]) {
      for (const other of [older, newer]) expect(validate(other, mutate(one, pod()))).toBe(true);
    }
  });

  it('accept what both have injected, one after the other', () => {
    for (const by of [older, newer]) expect(validate(by, mutate(newer, mutate(older, pod())))).toBe(true);
  });

  it('find what was removed afterwards, if both have its injector', () => {
    for (const one of [older, newer]) {
      for (const other of [older, newer]) {
        const message = validate(other, without(mutate(one, pod()), 'team'));
        expect(message).toBe(
          'injection is incomplete: injector "team" would still change "/metadata/annotations/team"',
        );
      }
    }
  });

  it('check everything if the mark is missing', () => {
    expect(validate(newer, without(mutate(older, pod()), MARK))).toContain('"extra" would still change');
    expect(validate(older, pod())).toContain('"team" would still change');
  });

  it('accept objects that one of them does not match or excludes', async () => {
    const nothing = await replica(config('  []\n'));
    const excluding = await replica(`${config(entry('team', 'a'))}exclude: {namespaces: [default]}\n`);
    for (const by of [nothing, excluding]) expect(validate(older, mutate(by, pod()))).toBe(true);
    expect(validate(excluding, mutate(older, pod()))).toBe(true);
  });
});

describe('the mark', () => {
  let own: Replica;
  beforeAll(async () => {
    own = await replica(config(entry('team', 'a')));
  });

  it('names each injector with its fingerprint, and is written once', () => {
    const once = mutate(own, pod());
    expect(annotationsOf(once)).toEqual({ team: 'a', [MARK]: expect.stringMatching(/^team=[0-9a-f]{12}$/) });
    expect(answer(own, once)).not.toHaveProperty('patch');
  });

  it('replaces one that the object came with', () => {
    for (const forged of ['', 'team=000000000000', 'x'.repeat(1000)]) {
      expect(mutate(own, pod({ [MARK]: forged }))).toEqual(mutate(own, pod()));
    }
  });

  it('is written if annotations are null, and if no injector matches', async () => {
    const other = await replica(
      config(entry('team', 'a').replace('with:', 'match: {kinds: [Service]}, with:')),
    );
    for (const object of [pod(), pod(null)]) {
      expect(annotationsOf(mutate(other, object))).toEqual({ [MARK]: expect.stringContaining('team=') });
    }
  });

  it.each([
    ['a subresource', pod(), { subResource: 'status' }],
    ['a mirror pod', pod({ 'kubernetes.io/config.mirror': 'x' }), {}],
    ['a Pod on UPDATE', pod(), { operation: 'UPDATE' }],
    ['an invalid Pod', { ...pod(), spec: { containers: 5 } }, {}],
    ['annotations that are not a map', { ...pod(), metadata: { annotations: 5 } }, {}],
  ])('is not written on %s', (_, object, more) => {
    expect(JSON.stringify(mutate(own, object, more))).not.toContain(MARK);
  });

  it('leaves out an injector that failed and was skipped', () => {
    const { pipeline } = own;
    const stages = pipeline.stages.map((stage) => ({
      ...stage,
      onError: 'skip' as const,
      injector: {
        ...stage.injector,
        inject: () => {
          throw new Error('not today');
        },
      },
    }));
    const failing = { ...own, pipeline: { ...pipeline, stages } };
    const injected = mutate(failing, pod());
    expect(annotationsOf(injected)).toEqual({ [MARK]: '' });
    expect(validate(own, injected)).toBe(true);
  });

  it('is neither written nor read without a final check', () => {
    const { pipeline } = own;
    expect(annotationsOf(mutate({ pipeline }, pod()))).toEqual({ team: 'a' });
    expect(validate({ pipeline }, pod({ [MARK]: 'team=0' }))).toContain('"team" would still change');
  });
});

describe('injectors do not see the mark', () => {
  const counting = config(
    '  - name: count\n    use: overlay\n    with: {overlay: {metadata: {labels: {count: {$force: {$cel: "string(size(object.metadata.annotations))"}}}}}}\n',
  );

  it('so that a count of all annotations is the same afterwards', async () => {
    const by = await replica(counting);
    const injected = mutate(by, pod({ a: 'b' }));
    expect(injected).toMatchObject({ metadata: { labels: { count: '1' } } });
    expect(Object.keys(annotationsOf(injected))).toEqual(['a', MARK]);
    expect(validate(by, injected)).toBe(true);
    expect(answer(by, injected)).not.toHaveProperty('patch');
  });

  it('nor one that the object came with, which is replaced', async () => {
    const by = await replica(counting);
    const injected = mutate(by, pod({ [MARK]: 'forged', a: 'b' }));
    expect(injected).toMatchObject({ metadata: { labels: { count: '1' } } });
    expect(validate(by, injected)).toBe(true);
  });
});
