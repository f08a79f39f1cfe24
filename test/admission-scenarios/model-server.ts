import { admit, callOverHttps, configurationProblems, type Outcome } from '../../src/chain/index.ts';
import type { Json, JsonObject } from '../../src/json/json.ts';
import type { UserInfo } from '../../src/policy/attributes.ts';
import { applyGoPatch } from '../../src/policy/patch/go-patch.ts';
import type { ScenarioRequest } from './scenario.ts';

/** Just enough of an API server around `admit` to play the scenarios: paths, verbs, a store. */
export interface ModelServer {
  send(request: ScenarioRequest): Promise<ModelAnswer>;
  /** Creates a configuration; the Status if it is invalid. */
  configure(configuration: JsonObject): JsonObject | undefined;
}

export interface ModelAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly warnings: readonly string[];
  readonly auditAnnotations: { readonly [key: string]: string };
}

export interface ModelOptions {
  /** Default: all that are modelled. */
  readonly plugins?: readonly string[];
  readonly users: { readonly [name: string]: UserInfo };
}

export function modelServer({ plugins, users }: ModelOptions): ModelServer {
  const configurations: JsonObject[] = [];
  const store = new Map<string, JsonObject>();
  store.set('/customresourcedefinitions//widgets.example.com', WIDGETS);
  let revision = 100;

  return {
    configure(configuration) {
      const problem = configurationProblems(configuration);
      if (problem !== undefined)
        return {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          ...problem,
        } as unknown as JsonObject;
      configurations.push(configuration);
      return undefined;
    },
    send,
  };

  async function send(request: ScenarioRequest): Promise<ModelAnswer> {
    const { method = 'POST', path = '/api/v1/namespaces/default/pods' } = request;
    const target = parsePath(path);
    const key = (name: string) => `${target.group}/${target.resource}/${target.namespace}/${name}`;
    const stored = store.get(key(target.name));
    const user = users[request.user ?? 'admin'] as UserInfo;
    const { group, version, resource, subresource, namespace, name, query } = target;
    const common = {
      resource: { group, version, resource },
      subresource,
      // The server takes a Namespace's own name.
      ...(resource !== 'namespaces' && { namespace }),
      user,
      dryRun: query.has('dryRun'),
      ...(query.has('timeout') && { timeoutSeconds: Number.parseInt(query.get('timeout') as string, 10) }),
    };
    const options = {
      configurations,
      objects: [...store.values()],
      call: callOverHttps,
      ...(plugins && { plugins }),
      authorize: ALWAYS_ALLOW,
    };
    const isConnect = subresource === 'exec';
    if (method === 'GET' && !isConnect) return stored === undefined ? missing(target) : answer(200, stored);
    if (isConnect) {
      const object = { kind: 'PodExecOptions', apiVersion: 'v1', stdout: true, command: ['ls'] };
      const kind = { group: '', version: 'v1', kind: 'PodExecOptions' };
      const outcome = await admit(
        { ...common, operation: 'CONNECT', object, kind, name, options: null },
        options,
      );
      if (!outcome.allowed) return refused(outcome);
      if (stored === undefined) return { ...missing(target), ...recorded(outcome) };
      const message = `pod ${name} does not have a host assigned`;
      return answer(400, failure({ code: 400, reason: 'BadRequest', message }), outcome);
    }
    if (method === 'POST') return create(request.body ?? {});
    if (method === 'DELETE') return remove();
    if (stored === undefined && !(request.contentType?.includes('apply-patch') && subresource === ''))
      return missing(target);
    if (stored === undefined) return create(request.body ?? {});
    return update(
      method === 'PUT'
        ? (request.body ?? {})
        : patched(subresource === 'scale' ? scaleOf(stored) : stored, request),
    );

    async function create(object: JsonObject): Promise<ModelAnswer> {
      const apiVersion = String(object.apiVersion);
      const kind = {
        group: apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '',
        version: apiVersion.slice(apiVersion.indexOf('/') + 1),
        kind: String(object.kind),
      };
      const outcome = await admit(
        {
          ...common,
          operation: 'CREATE',
          object,
          kind,
          options: optionsFor('CreateOptions'),
          ...(subresource !== '' && { name }),
        },
        options,
      );
      if (!outcome.allowed) return refused(outcome);
      if (subresource === 'eviction') {
        store.delete(key(name));
        return answer(
          201,
          { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
          outcome,
        );
      }
      if (subresource === 'binding') return { ...missing(target), ...recorded(outcome) };
      const own = outcome.object as JsonObject;
      const stampedObject = stamped(own);
      if (!common.dryRun && subresource === '')
        store.set(key(String((own.metadata as JsonObject | undefined)?.name)), stampedObject);
      return answer(201, stampedObject, outcome);
    }

    async function update(object: JsonObject): Promise<ModelAnswer> {
      const oldObject = subresource === 'scale' ? scaleOf(stored as JsonObject) : stored;
      const kind =
        subresource === 'scale' ? { group: 'autoscaling', version: 'v1', kind: 'Scale' } : undefined;
      const outcome = await admit(
        {
          ...common,
          operation: 'UPDATE',
          object,
          oldObject: oldObject as JsonObject,
          name,
          options: optionsFor('UpdateOptions'),
          ...(kind && { kind }),
        },
        options,
      );
      if (!outcome.allowed) return refused(outcome);
      if (!common.dryRun && subresource !== 'scale')
        store.set(key(name), stamped(outcome.object as JsonObject));
      return answer(200, outcome.object, outcome);
    }

    async function remove(): Promise<ModelAnswer> {
      if (name === '') return removeAll();
      if (stored === undefined) return missing(target);
      const { uid, deletionTimestamp } = stored.metadata as JsonObject;
      const isForced = query.get('gracePeriodSeconds') === '0';
      // A Pod that is being deleted is left alone.
      if (deletionTimestamp !== undefined && !isForced) return answer(200, stored);
      const isRunning = (stored.spec as JsonObject | undefined)?.nodeName !== undefined;
      const base = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' };
      const grace = isRunning && !isForced ? 30 : 0;
      const deletion =
        resource === 'pods'
          ? { ...base, gracePeriodSeconds: grace }
          : { ...base, preconditions: { uid: uid as string } };
      const outcome = await admit(
        { ...common, operation: 'DELETE', oldObject: stored, name, options: deletion },
        options,
      );
      if (!outcome.allowed) return refused(outcome);
      if (common.dryRun) return answer(200, stored, outcome);
      if (grace === 0) store.delete(key(name));
      else
        store.set(key(name), {
          ...stored,
          metadata: { ...(stored.metadata as JsonObject), deletionTimestamp: 'soon' },
        });
      return answer(200, stored, outcome);
    }

    async function removeAll(): Promise<ModelAnswer> {
      const deletion = { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1' };
      for (const [place, oldObject] of [...store].filter(([place]) => place.startsWith(key('')))) {
        const outcome = await admit(
          { ...common, operation: 'DELETE', oldObject, name: '', options: deletion },
          options,
        );
        if (!outcome.allowed) return refused(outcome);
        store.delete(place);
      }
      return answer(200, { kind: 'PodList' });
    }

    function optionsFor(kind: string): JsonObject {
      const set = ['fieldManager', 'fieldValidation'].filter((field) => query.has(field));
      return {
        kind,
        apiVersion: 'meta.k8s.io/v1',
        ...(common.dryRun && { dryRun: ['All'] }),
        ...Object.fromEntries(set.map((field) => [field, query.get(field)])),
      };
    }
  }

  function stamped(object: JsonObject): JsonObject {
    return {
      ...object,
      metadata: { ...(object.metadata as JsonObject), resourceVersion: String(++revision) },
    };
  }
}

/** Like the recorded server's. */
const ALWAYS_ALLOW = () => ({ allowed: true });

function refused(outcome: Outcome & { allowed: false }): ModelAnswer {
  const { status } = outcome;
  if (status.code === 0) return answer(0, '<connection closed without a response>', outcome);
  // The filter for timeouts writes its Status as text, without kind and apiVersion.
  const body =
    status.code === 504
      ? { metadata: {}, status: 'Failure', ...status, _contentType: 'text/plain; charset=utf-8' }
      : failure(status);
  return answer(status.code, body, outcome);
}

function failure(status: object): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...status };
}

function answer(status: number, body: unknown, outcome?: Outcome): ModelAnswer {
  return { status, body, ...recorded(outcome) };
}

function recorded(outcome?: Outcome) {
  return { warnings: outcome?.warnings ?? [], auditAnnotations: outcome?.auditAnnotations ?? {} };
}

interface Target {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  readonly query: URLSearchParams;
}

function parsePath(path: string): Target {
  const { pathname, searchParams } = new URL(path, 'https://server');
  const parts = pathname.split('/').slice(1);
  const [group, version, ...rest] = parts[0] === 'api' ? ['', ...parts.slice(1)] : parts.slice(1);
  const isNamespaced = rest[0] === 'namespaces' && rest.length > 2;
  const [resource = '', name = '', subresource = ''] = isNamespaced ? rest.slice(2) : rest;
  return {
    group: group as string,
    version: version as string,
    resource,
    namespace: isNamespaced ? (rest[1] as string) : '',
    name,
    subresource,
    query: searchParams,
  };
}

function missing({ group, resource, name }: Target): ModelAnswer {
  const qualified = group === '' ? resource : `${resource}.${group}`;
  const details = { name, ...(group !== '' && { group }), kind: resource };
  return answer(
    404,
    failure({ message: `${qualified} "${name}" not found`, reason: 'NotFound', details, code: 404 }),
  );
}

function patched(stored: JsonObject, { contentType = '', body = {} }: ScenarioRequest): JsonObject {
  if (contentType.includes('json-patch')) {
    const result = applyGoPatch(stored, body as unknown as readonly JsonObject[]);
    if ('error' in result) throw new Error(result.error);
    return result.value as JsonObject;
  }
  return merged(stored, body) as JsonObject;
}

/** RFC 7396. The scenarios' strategic and server-side patches name no lists that would merge. */
function merged(target: Json, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const next: Record<string, Json> =
    typeof target === 'object' && target !== null && !Array.isArray(target)
      ? { ...(target as JsonObject) }
      : {};
  for (const [key, value] of Object.entries(patch as JsonObject)) {
    if (value === null) delete next[key];
    else next[key] = merged(next[key] ?? null, value);
  }
  return next;
}

function scaleOf({ metadata, spec }: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metadata as JsonObject;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: { name, namespace, uid, resourceVersion, creationTimestamp } as JsonObject,
    spec: { replicas: (spec as JsonObject).replicas ?? 0 },
    status: { replicas: 0 },
  };
}

/** The definition that the recorded server had. */
export const WIDGETS: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 1 } } } },
          },
        },
      },
    ],
  },
};
