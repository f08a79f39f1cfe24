import type { IncomingMessage } from 'node:http';
import type { JsonObject } from '../../json/json.ts';
import type { Operation } from '../../json/operation.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import type { ObjectRef, ResourceRef } from '../../kube/resource.ts';
import { isRefusal } from './api-error.ts';
import type { Connection } from './connection.ts';
import { Deadline } from './deadline.ts';
import { asObject, asPage, type ListPage, readObject } from './read-answer.ts';
import { collectionPath, objectPath } from './resource-path.ts';
import { createTransport, type Outgoing } from './transport.ts';
import { eventsOf, type WatchEvent } from './watch-events.ts';

/**
 * A thin client of the Kubernetes API. What the server refuses is an `ApiError` with its status and reason; what does not
 * reach it, or takes too long, is `CLUSTER_API_UNREACHABLE`. No error holds a token, a key or what a Secret says.
 */
export interface KubeClient {
  /** The namespace of the context, or of the Pod that we run in. */
  readonly namespace: string | undefined;
  /** Undefined where there is no such object. */
  get(target: ObjectRef, options?: CallOptions): Promise<KubeObject | undefined>;
  /** One page. */
  list(ref: ResourceRef, options?: ListOptions): Promise<ListPage>;
  /** Ends when the server ends it, as it does after `timeoutSeconds`; a lost connection and an ERROR event throw. */
  watch(ref: ResourceRef, options: WatchOptions): AsyncGenerator<WatchEvent, void, void>;
  /** In the namespace that stands in the object. */
  create(ref: ResourceRef, object: KubeObject, options?: CallOptions): Promise<KubeObject>;
  /** Replaces the object; with a resourceVersion in it only if nobody else was faster, else the reason is `Conflict`. */
  update(ref: ResourceRef, object: KubeObject, options?: CallOptions): Promise<KubeObject>;
  patch(target: ObjectRef, patch: Patch, options?: CallOptions): Promise<KubeObject>;
  /** Closes the kept connections. */
  close(): void;
}

export interface CallOptions {
  /** For the whole call; 15 s where nothing is said. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface Selection {
  /** All namespaces where it is left out. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
}

export interface ListOptions extends CallOptions, Selection {
  readonly limit?: number;
  readonly continue?: string;
}

export interface WatchOptions extends Selection {
  readonly timeoutSeconds: number;
  /** The longest silence; bookmarks come about once a minute. */
  readonly idleMs: number;
  /** The server has accepted the watch. */
  readonly onOpen?: () => void;
  readonly signal?: AbortSignal;
}

/** RFC 7386, or RFC 6902. */
export type Patch = { readonly merge: JsonObject } | { readonly json: readonly Operation[] };

export type { ListPage, WatchEvent };

const TIMEOUT_MS = 15_000;

export function createClient(connection: Connection): KubeClient {
  const { credentials } = connection;
  const transport = createTransport(connection);

  /** Opens once more where the server does not know our credential, and there is a newer one. */
  async function open(outgoing: Unsigned, deadline: Deadline): Promise<IncomingMessage> {
    const { signal } = deadline;
    const credential = await deadline.race(credentials.current());
    const response = await transport.open({ ...outgoing, credential, signal });
    if (response.statusCode !== 401) return response;
    credentials.refused(credential);
    const renewed = await deadline.race(credentials.current()).catch((error: unknown) => {
      response.destroy();
      throw error;
    });
    if (renewed.token === credential.token && renewed.cert === credential.cert) return response;
    response.resume();
    return transport.open({ ...outgoing, credential: renewed, signal });
  }

  async function call(
    outgoing: Unsigned,
    { timeoutMs = TIMEOUT_MS, signal }: CallOptions = {},
  ): Promise<JsonObject> {
    const deadline = new Deadline(outgoing.what, timeoutMs, signal);
    try {
      return await readObject(await open(outgoing, deadline), outgoing);
    } catch (error) {
      throw deadline.explain(error);
    } finally {
      deadline.release();
    }
  }

  async function write(outgoing: Unsigned, options?: CallOptions): Promise<KubeObject> {
    const path = `${outgoing.path}?fieldManager=podgraft`;
    return asObject(await call({ ...outgoing, path }, options), outgoing.what);
  }

  return {
    namespace: connection.namespace,
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
      const path = `${collectionPath(ref, options.namespace)}${queryOf(options)}`;
      return asPage(await call({ what, method: 'GET', path }, options), ref, what);
    },
    async *watch(ref, options) {
      const what = `watch ${ref.resource}`;
      const path = `${collectionPath(ref, options.namespace)}${queryOf({ ...options, watch: true })}`;
      const deadline = new Deadline(what, TIMEOUT_MS, options.signal);
      try {
        const response = await open({ what, method: 'GET', path }, deadline);
        if (response.statusCode !== 200) await readObject(response, { what, path });
        deadline.extend(options.idleMs);
        options.onOpen?.();
        yield* eventsOf(response, what, () => deadline.extend(options.idleMs));
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
      const path = objectPath(target);
      const body = JSON.stringify(object);
      return write({ what: `update ${label(target)}`, method: 'PUT', path, body }, options);
    },
    patch(target, patch, options) {
      const [type, content] = 'merge' in patch ? ['merge-patch', patch.merge] : ['json-patch', patch.json];
      const contentType = `application/${type}+json`;
      const path = objectPath(target);
      const body = JSON.stringify(content);
      return write({ what: `patch ${label(target)}`, method: 'PATCH', path, body, contentType }, options);
    },
    close: () => transport.close(),
  };
}

/** What is sent, before it is known as whom. */
type Unsigned = Omit<Outgoing, 'credential' | 'signal'>;

function targetOf(ref: ResourceRef, { metadata: { namespace, name = '' } }: KubeObject): ObjectRef {
  return { ref, ...(namespace !== undefined && { namespace }), name };
}

function label({ ref, namespace, name }: ObjectRef): string {
  return `${ref.kind} "${namespace === undefined ? name : `${namespace}/${name}`}"`;
}

type Query = ListOptions & { readonly watch?: true; readonly timeoutSeconds?: number };

function queryOf(query: Query): string {
  const parameters = new URLSearchParams();
  const { labelSelector, fieldSelector, resourceVersion, limit, timeoutSeconds } = query;
  const given = { labelSelector, fieldSelector, resourceVersion, limit, timeoutSeconds };
  for (const [key, value] of Object.entries(given)) {
    if (value !== undefined) parameters.set(key, String(value));
  }
  if (query.continue !== undefined) parameters.set('continue', query.continue);
  if (query.watch) {
    parameters.set('watch', 'true');
    parameters.set('allowWatchBookmarks', 'true');
  }
  return parameters.size === 0 ? '' : `?${parameters}`;
}
