import { CrashError, type Fixture, type FixtureRequest } from './fixture-webhooks.ts';

const sidecar = (name: string) => ({
  op: 'add',
  path: '/spec/containers/-',
  value: { name, image: 'sidecar:1' },
});
const has = ({ object }: FixtureRequest, name: string) =>
  object?.spec.containers.some((container) => container.name === name) ?? false;
const annotations = ({ object }: FixtureRequest) =>
  (object?.metadata.annotations ?? {}) as { readonly [key: string]: string };
const annotated = (request: FixtureRequest, key: string, value: string) => ({
  patch: [{ op: 'add', path: '/metadata/annotations', value: { ...annotations(request), [key]: value } }],
});
const isNew = ({ operation }: FixtureRequest) => operation === 'CREATE';
let count = 0;
let calls = 0;
let timedCalls = 0;

/** Webhooks with one fault each, and one without. A Pod is changed on CREATE only. */
export const FAULTS: { readonly [name: string]: Fixture } = {
  good: (request) => (isNew(request) && !has(request, 'sidecar') ? { patch: [sidecar('sidecar')] } : {}),
  'appends-each-time': (request) =>
    isNew(request) ? { patch: [sidecar(`sidecar-${containers(request)}`)] } : {},
  'time-stamped': (request) =>
    isNew(request) ? { patch: [sidecar(`sidecar-${process.hrtime.bigint()}`)] } : {},
  'refuses-own-output': (request) =>
    has(request, 'sidecar')
      ? { deny: 'there is a sidecar already' }
      : isNew(request)
        ? { patch: [sidecar('sidecar')] }
        : {},
  'replaces-lists': ({ object, operation }) => {
    const list = object?.spec.containers ?? [];
    if (operation !== 'CREATE' || list.some(({ name }) => name === 'sidecar')) return {};
    const value = [...list, { name: 'sidecar', image: 'sidecar:1' }];
    return { patch: [{ op: 'replace', path: '/spec/containers', value }] };
  },
  'drops-unknown-fields': (request) => {
    const [first] = request.object?.spec.containers ?? [];
    if (!isNew(request) || first === undefined || first.imagePullPolicy === 'Never') return {};
    // Like types that know only these fields.
    const { name, image, env, volumeMounts, resources, command, args, ports } = first;
    const known = {
      name,
      image,
      env,
      volumeMounts,
      resources,
      command,
      args,
      ports,
      imagePullPolicy: 'Never',
    };
    const removed = Object.keys(first)
      .filter((key) => !(key in KNOWN))
      .map((key) => ({ op: 'remove', path: `/spec/containers/0/${key}` }));
    return {
      patch: [
        ...removed,
        { op: 'add', path: '/spec/containers/0/imagePullPolicy', value: known.imagePullPolicy },
      ],
    };
  },
  slow: () => ({ delayMs: 700 }),
  'slow-with-env': ({ object }) => ({
    delayMs: object?.spec.containers.some(({ env }) => env !== undefined) ? 1400 : 0,
  }),
  'slow-at-times': () => ({ delayMs: timedCalls++ % 50 === 49 ? 700 : 0 }),
  'crashes-on-bad-json': () => ({}),
  'crashes-without-containers': ({ object }) => {
    if (object === null || object === undefined || Array.isArray(object.spec?.containers)) return {};
    throw new CrashError('no containers');
  },
  'removes-env': ({ object, operation }) =>
    operation === 'CREATE' && object?.spec.containers[0]?.env !== undefined
      ? { patch: [{ op: 'remove', path: '/spec/containers/0/env' }] }
      : {},
  'wrong-uid': () => ({ response: { uid: 'other' } }),
  'patches-deletions': () => ({
    patch: [{ op: 'add', path: '/metadata/labels', value: { deleted: 'yes' } }],
  }),
  'missing-parent': (request) =>
    isNew(request) ? { patch: [{ op: 'add', path: '/metadata/annotations/x', value: 'y' }] } : {},
  invalid: (request) => (isNew(request) ? { patch: [sidecar('Not_A_Name')] } : {}),
  /** Not a fault: two operations that may come in any order. */
  shuffles: (request) => {
    if (!isNew(request) || has(request, 'sidecar')) return {};
    const deadline = { op: 'add', path: '/spec/activeDeadlineSeconds', value: 600 };
    const patch = [sidecar('sidecar'), deadline];
    return { patch: calls++ % 2 === 0 ? patch : patch.toReversed() };
  },
  'counts-dry-runs': (request) => annotated(request, 'example.com/count', String(count++)),
  /** Sets the team of Pods without one, on which `copies-team` depends. */
  'sets-team': (request) => (annotations(request).team === undefined ? annotated(request, 'team', 'a') : {}),
  'copies-team': (request) =>
    annotations(request).owner === undefined
      ? annotated(request, 'owner', annotations(request).team ?? 'nobody')
      : {},
  left: (request) => (annotations(request).side === 'left' ? {} : annotated(request, 'side', 'left')),
  right: (request) => (annotations(request).side === 'right' ? {} : annotated(request, 'side', 'right')),
};

const KNOWN = {
  name: 1,
  image: 1,
  env: 1,
  volumeMounts: 1,
  resources: 1,
  command: 1,
  args: 1,
  ports: 1,
  imagePullPolicy: 1,
  terminationMessagePath: 1,
  terminationMessagePolicy: 1,
  readinessProbe: 1,
  livenessProbe: 1,
  lifecycle: 1,
  securityContext: 1,
  envFrom: 1,
  startupProbe: 1,
  stdin: 1,
};

function containers({ object }: FixtureRequest): number {
  return object?.spec.containers.length ?? 0;
}
