import type { ServerResponse } from 'node:http';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { answer, event, type Handler, refuse } from './fake-api-server.ts';

/** One kind on the fake server, with lists in pages and a history for watches that can be dropped. */
export class FakeCollection {
  readonly #objects = new Map<string, KubeObject>();
  readonly #watches = new Set<ServerResponse>();
  #version = 0;
  readonly #namespace: string;
  #history: { readonly version: number; readonly line: string }[] = [];
  #oldest = 0;

  constructor(namespace = 'default') {
    this.#namespace = namespace;
  }

  readonly handle: Handler = ({ path, query }, response) => {
    if (query.get('watch') === 'true') this.#watch(Number(query.get('resourceVersion')), response);
    else if (path.endsWith('s')) this.#list(query, response);
    else this.#get(path, response);
  };

  get version(): number {
    return this.#version;
  }

  get watches(): number {
    return this.#watches.size;
  }

  /** Of all objects, sorted by name. */
  metadata(): KubeObject['metadata'][] {
    return [...this.#objects.keys()].sort().flatMap((name) => this.#objects.get(name)?.metadata ?? []);
  }

  put(name: string, more: object = {}): void {
    const type = this.#objects.has(name) ? 'MODIFIED' : 'ADDED';
    const object = this.#object(name, more, ++this.#version);
    this.#objects.set(name, object);
    this.#record(type, object);
  }

  remove(name: string): void {
    if (!this.#objects.has(name)) return;
    const object = this.#object(name, {}, ++this.#version);
    this.#objects.delete(name);
    this.#record('DELETED', object);
  }

  /** Other kinds advance the cluster's version; a bookmark reports it. */
  bookmark(): void {
    this.#version += 10;
    const object = { kind: 'ServiceAccount', metadata: { resourceVersion: String(this.#version) } };
    this.#write(event('BOOKMARK', object));
  }

  write(text: string): void {
    this.#write(text);
  }

  /** Drops the history: a watch from an older version gets 410. */
  forget(): void {
    this.#version += 1;
    this.#oldest = this.#version;
    this.#history = [];
  }

  /** As the server does when the watch times out. */
  endWatches(): void {
    for (const response of this.#watches) response.end();
    this.#watches.clear();
  }

  #object(name: string, more: object, version: number): KubeObject {
    const metadata = { namespace: this.#namespace, name, resourceVersion: String(version) };
    return { apiVersion: 'v1', kind: 'ServiceAccount', metadata, ...more };
  }

  #record(type: string, object: object): void {
    const line = event(type, object);
    this.#history.push({ version: this.#version, line });
    this.#write(line);
  }

  #write(text: string): void {
    for (const response of this.#watches) response.write(text);
  }

  #get(path: string, response: ServerResponse): void {
    const object = this.#objects.get(path.slice(path.lastIndexOf('/') + 1));
    if (object === undefined) refuse(response, 404, 'NotFound');
    else answer(response, object);
  }

  #list(query: URLSearchParams, response: ServerResponse): void {
    const from = Number(query.get('continue') ?? 0);
    const to = from + Number(query.get('limit') ?? Number.POSITIVE_INFINITY);
    const all = [...this.#objects.values()];
    answer(response, {
      metadata: {
        resourceVersion: String(this.#version),
        ...(to < all.length && { continue: String(to) }),
      },
      items: all.slice(from, to),
    });
  }

  #watch(since: number, response: ServerResponse): void {
    if (since < this.#oldest) return refuse(response, 410, 'Expired', 'too old resource version');
    response.writeHead(200).flushHeaders();
    for (const { version, line } of this.#history) if (version > since) response.write(line);
    this.#watches.add(response);
    response.on('close', () => this.#watches.delete(response));
  }
}
