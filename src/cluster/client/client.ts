import type { JsonObject } from '../../json/json.ts';
import type { Operation } from '../../json/operation.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { apiVersionOf, type ResourceRef } from '../../kube/resource.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import type { ObjectRef } from '../../sdk/reads.ts';
import { isRefusal } from './api-error.ts';
import type { Connection } from './connection.ts';
import { startDeadline } from './deadline.ts';
import { asObject, asPage, type ListPage, readObject } from './read-answer.ts';
import { type ApiRequest, createTransport } from './transport.ts';
import { eventsOf, type WatchEvent } from './watch-events.ts';

/**
 * A thin client of the Kubernetes API. A refusal by the server is an `ApiError` with status and reason; a call that does not reach the
 * server or takes too long is `CLUSTER_API_UNREACHABLE`. Errors never contain tokens, keys or the content of Secrets.
 */
export interface KubeClient {
  /** Undefined if the object does not exist. */
  get(target: ObjectRef, options?: CallOptions): Promise<KubeObject | undefined>;
  /** Returns one page. */
  list(ref: ResourceRef, options?: ListOptions): Promise<ListPage>;
  /** Ends when the server ends it, as it does after `timeoutSeconds`; throws on a lost connection and on an ERROR event. */
  watch(ref: ResourceRef, options: WatchOptions): AsyncGenerator<WatchEvent, void, void>;
  /** Creates the object in its `metadata.namespace`. */
  create(ref: ResourceRef, object: KubeObject, options?: CallOptions): Promise<KubeObject>;
  /** Replaces the object; refused with `Conflict` if it has a resourceVersion that is not current. */
  update(ref: ResourceRef, object: KubeObject, options?: CallOptions): Promise<KubeObject>;
  /** Applies a JSON Patch (RFC 6902). */
  patch(target: ObjectRef, patch: readonly Operation[], options?: CallOptions): Promise<KubeObject>;
  /** Closes the kept connections. */
  close(): void;
}

export interface CallOptions {
  /** For the whole call; 15 s by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Which objects of a kind. */
export interface Restriction {
  /** By default all namespaces. */
  readonly namespace?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends CallOptions, Restriction {
  readonly limit?: number;
  readonly continue?: string;
}

export interface WatchOptions extends Restriction {
  readonly resourceVersion?: string;
  readonly timeoutSeconds: number;
  /** The longest silence that is tolerated; bookmarks arrive about once a minute. */
  readonly idleMs: number;
  /** Called when the server has accepted the watch. */
  readonly onOpen?: () => void;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 15_000;

export function createClient(connection: Connection): KubeClient {
  const transport = createTransport(connection);

  async function call(
    request: ApiRequest,
    { timeoutMs = TIMEOUT_MS, signal }: CallOptions = {},
  ): Promise<JsonObject> {
    const deadline = startDeadline(request.what, timeoutMs, signal);
    try {
      return await readObject(await transport.open(request, deadline), request);
    } catch (error) {
      throw deadline.explain(error);
    } finally {
      deadline.release();
    }
  }

  async function write(request: ApiRequest, options?: CallOptions): Promise<KubeObject> {
    const path = `${request.path}?fieldManager=podgraft`;
    return asObject(await call({ ...request, path }, options), request.what);
  }

  return {
    async get(target, options) {
      const what = `get ${label(target)}`;
      try {
        return asObject(await call({ what, method: 'GET', path: objectPath(target) }, options), what);
      } catch (error) {
        if (isRefusal(error) && error.status === 404) return undefined;
        throw error;
      }
    },
    async list(ref, options = {}) {
      const what = `list ${ref.resource}`;
      const { namespace, fieldSelector, limit, continue: token } = options;
      const path = collectionPath(ref, namespace) + query({ fieldSelector, limit, continue: token });
      return asPage(await call({ what, method: 'GET', path }, options), ref, what);
    },
    async *watch(ref, { namespace, fieldSelector, resourceVersion, timeoutSeconds, ...options }) {
      const what = `watch ${ref.resource}`;
      const bookmarks = { watch: true, allowWatchBookmarks: true };
      const parameters = query({ fieldSelector, resourceVersion, timeoutSeconds, ...bookmarks });
      const path = collectionPath(ref, namespace) + parameters;
      const deadline = startDeadline(what, TIMEOUT_MS, options.signal);
      try {
        const response = await transport.open({ what, method: 'GET', path }, deadline);
        if (response.statusCode !== 200) await readObject(response, { what, path });
        deadline.restart(options.idleMs);
        options.onOpen?.();
        yield* eventsOf(response, what, () => deadline.restart(options.idleMs));
      } catch (error) {
        throw deadline.explain(error);
      } finally {
        deadline.release();
      }
    },
    create(ref, object, options) {
      const what = `create ${label(targetOf(ref, object))}`;
      const path = collectionPath(ref, object.metadata.namespace);
      return write({ what, method: 'POST', path, body: JSON.stringify(object) }, options);
    },
    update(ref, object, options) {
      const target = targetOf(ref, object);
      const request = { what: `update ${label(target)}`, method: 'PUT', path: objectPath(target) } as const;
      return write({ ...request, body: JSON.stringify(object) }, options);
    },
    patch(target, patch, options) {
      const request = { what: `patch ${label(target)}`, method: 'PATCH', path: objectPath(target) } as const;
      const contentType = 'application/json-patch+json';
      return write({ ...request, body: JSON.stringify(patch), contentType }, options);
    },
    close: () => transport.close(),
  };
}

function targetOf(ref: ResourceRef, { metadata: { namespace, name = '' } }: KubeObject): ObjectRef {
  return { ref, ...(namespace !== undefined && { namespace }), name };
}

function label({ ref, namespace, name }: ObjectRef): string {
  // Reviews have none.
  if (name === '') return ref.kind;
  return `${ref.kind} "${namespace === undefined ? name : `${namespace}/${name}`}"`;
}

/** `/apis/apps/v1/namespaces/web/deployments`; without a namespace, that of all namespaces. */
function collectionPath(ref: ResourceRef, namespace?: string): string {
  const root = ref.group === '' ? 'api' : 'apis';
  const isWithin = ref.namespaced && namespace !== undefined;
  const scope = isWithin ? `namespaces/${segment(namespace)}/` : '';
  return `/${root}/${apiVersionOf(ref)}/${scope}${ref.resource}`;
}

function objectPath({ ref, namespace, name }: ObjectRef): string {
  return `${collectionPath(ref, namespace)}/${segment(name)}`;
}

/** Dots alone would lead to another path, and encoding keeps them. No object has such a name. */
function segment(name: string): string {
  if (/^\.*$/.test(name))
    throw new PodgraftError('CLUSTER_API_REFUSED', `Cannot read "${name}": invalid name`);
  return encodeURIComponent(name);
}

function query(parameters: { readonly [name: string]: string | number | boolean | undefined }): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size === 0 ? '' : `?${given}`;
}
