import { describe, expect, it } from 'vitest';
import { filesView } from '../cluster/views/files-view.ts';
import type { StringMap } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import { requestFor } from '../pipeline/run-manifest.ts';
import type { Call, Reply } from '../sdk/calls.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import type { ReadRef } from '../sdk/reads.ts';
import { checkLaws, type LawSubject } from './laws.ts';
import { checkWaitingLaws } from './waiting-laws.ts';

const MAP = builtin('ConfigMap');
const settings = { ref: MAP, namespace: 'house', name: 'settings' };
const object = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'web' }] },
};
const cluster = filesView([
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'house', name: 'settings' },
    data: { zone: 'eu' },
  },
]);

/** An injector that stamps a Pod with the content of a ConfigMap. */
function subject(reads: readonly ReadRef[], more: Partial<AnyInjector> = {}): LawSubject {
  const injector: AnyInjector = {
    name: 'zone',
    summary: '',
    match: {},
    reads: () => reads,
    inject(_, context) {
      const data = context.cluster.get(MAP, 'house', 'settings')?.data as { zone: string } | undefined;
      return data === undefined ? { skip: 'none' } : { overlay: { metadata: { labels: data } } };
    },
    ...more,
  };
  const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'test' });
  return { entry: { name: 'zone', injector }, request, object, cluster };
}

function check(reads: readonly ReadRef[], more?: Partial<AnyInjector>) {
  return () => checkLaws(subject(reads, more));
}

it('hold for an injector that declares its reads', () => {
  expect(check([MAP])).not.toThrow();
  expect(check([{ ...MAP, namespace: 'house', name: 'settings', fields: ['data.zone'] }])).not.toThrow();
});

it.each<[string, ReadRef[]]>([
  ['nothing', []],
  ['another name', [{ ...MAP, namespace: 'house', name: 'other' }]],
  ['another namespace', [{ ...MAP, namespace: 'shop' }]],
  ['another field', [{ ...MAP, fields: ['binaryData'] }]],
])('are broken by an injector that declares %s', (_, reads) => {
  expect(check(reads)).toThrow('what it declares in "reads" is enough');
});

it('are broken by an injector that needs an undeclared object', () => {
  const unread: Partial<AnyInjector> = { needs: () => [settings], inject: () => ({ skip: 'none' }) };
  expect(check([], unread)).toThrow('it declares in "reads" what it needs, but not ConfigMap "settings"');
});

it('are broken by an injector that changes its input', () => {
  const mutating: Partial<AnyInjector> = {
    inject(pod) {
      pod.metadata.labels = { zone: 'eu' };
      return { skip: 'done' };
    },
  };
  expect(check([], mutating)).toThrow('Injector "zone" failed: Cannot add property labels');
});

it('are broken by an injector that must not be called again', () => {
  const appending: Partial<AnyInjector> = {
    inject: ({ spec }) => ({
      overlay: { spec: { containers: [{ name: `extra-${spec.containers.length}` }] } },
    }),
  };
  expect(check([], appending)).toThrow('Injector "zone" does not settle');
});

it('are broken by an injector that remembers its calls', () => {
  let calls = 0;
  const counting: Partial<AnyInjector> = {
    inject: () =>
      calls++ === 0 ? { overlay: { metadata: { labels: { first: 'yes' } } } } : { skip: 'done' },
  };
  expect(check([], counting)).toThrow('it gives the same outcome for the same object');
});

it('are broken by an injector whose overlay is not what the server sends', () => {
  const imprecise: Partial<AnyInjector> = {
    inject: () => ({ overlay: { spec: { priority: Number.POSITIVE_INFINITY } } }),
  };
  expect(check([], imprecise)).toThrow('the patch, applied to the original, gives the object');
});

it('are broken by an injector that changes what it judges', () => {
  const mutating: Partial<AnyInjector> = {
    inject: () => ({ skip: 'none' }),
    validate(pod) {
      pod.metadata.labels = { zone: 'eu' };
      return undefined;
    },
  };
  expect(check([], mutating)).toThrow('Injector "zone" failed: Cannot add property labels');
});

it('are broken by an injector that judges once only', () => {
  let calls = 0;
  const counting: Partial<AnyInjector> = {
    inject: () => ({ skip: 'none' }),
    validate: () => (calls++ === 0 ? { summary: 'rejected', deny: 'the first is rejected' } : undefined),
  };
  expect(check([], counting)).toThrow('it judges the same object the same way');
});

it('hold for an injector that always rejects the final object', () => {
  const strict: Partial<AnyInjector> = {
    inject: () => ({ skip: 'none' }),
    validate: () => ({ summary: 'rejected', deny: 'no owner' }),
  };
  expect(check([], strict)).not.toThrow();
});

it('hold for what the server sees, which is parsed from bytes', () => {
  const bytesOnly: Partial<AnyInjector> = {
    inject(pod) {
      if (Object.hasOwn(pod.metadata, 'labels')) throw new Error('the object was never encoded');
      return { skip: 'none' };
    },
  };
  const injector: AnyInjector = {
    name: 'zone',
    summary: '',
    match: {},
    inject: () => ({ skip: '' }),
    ...bytesOnly,
  };
  const unset = { ...object, metadata: { name: 'a', labels: undefined } };
  const request = requestFor(object, { operation: 'CREATE', namespace: 'shop', username: 'test' });
  expect(() =>
    checkLaws({ entry: { name: 'zone', injector }, request, object: unset as never, cluster }),
  ).not.toThrow();
});

describe('the laws of a server that waits', () => {
  const other = { ref: MAP, namespace: 'house', name: 'other' };
  const late = (needs: AnyInjector['needs']) => checkWaitingLaws(subject([MAP], needs && { needs }));

  it('hold for an injector that names the objects it needs', async () => {
    const served = await late(() => [settings, other]);
    expect(served.object).toMatchObject({ metadata: { labels: { zone: 'eu' } } });
  });

  it('hold for an injector that relies on watches alone', async () => {
    await expect(late(undefined)).resolves.toBeDefined();
  });

  it('do not ask an injector for its needs if it is for other objects', async () => {
    const ofService: Partial<AnyInjector> = {
      match: { kinds: ['Service'] },
      needs: ({ spec }) => spec.ports.map(() => settings),
    };
    const served = await checkWaitingLaws(subject([MAP], ofService));
    expect(served.trace).toMatchObject([{ decision: 'unmatched' }]);
  });

  it('are broken by an injector that forgets to name an object', async () => {
    await expect(late(() => [other])).rejects.toThrow(
      'Law broken: what it names in "needs" is enough if objects arrive late, but the outcome is {"injector":"zone","round":1,"decision":"skipped","reason":"none"}',
    );
  });

  /** Sends the value of a label to a service, and sets it to the reply. */
  const asking: Partial<AnyInjector> = {
    inject({ metadata: { labels = {} } }, { calls }) {
      const body = (labels as StringMap).zone ?? '';
      const call = calls.replies[0]?.call ?? { url: 'https://zones.example.com/', timeoutMs: 100, body };
      const reply = calls.reply(call);
      if (reply === undefined || 'failure' in reply) return { skip: reply?.failure ?? 'waits' };
      return { overlay: { metadata: { labels: { zone: { $force: reply.body } } } } };
    },
  };
  const asked = (reply: (call: Call) => Reply) => checkWaitingLaws({ ...subject([], asking), reply });

  it('hold for an injector that waits for replies', async () => {
    const served = await asked(() => ({ body: 'eu' }));
    expect(served.object).toMatchObject({ metadata: { labels: { zone: 'eu' } } });
    const failed = await checkWaitingLaws(subject([], asking));
    expect(failed.trace).toMatchObject([{ decision: 'skipped', reason: 'no reply' }]);
  });

  it('are broken by an injector that changes its own result in a second review', async () => {
    const longer = asked((call) => ({ body: `${'body' in call && call.body}x` }));
    await expect(longer).rejects.toThrow('Law broken: a second run with replies changes nothing');
  });

  it('are broken by replies that differ from review to review', async () => {
    let replies = 0;
    await expect(asked(() => ({ body: `zone-${++replies}` }))).rejects.toThrow(
      'it gives the same outcome for the same object and replies',
    );
  });
});
