import type { ServerResponse } from 'node:http';
import { createClient, type KubeClient } from '../../src/cluster/client/client.ts';
import { createLiveView } from '../../src/cluster/views/live-view.ts';
import { parseConfigText } from '../../src/config/load-config.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { groupOf, resourceOf } from '../../src/kube/resource.ts';
import type { ServerOptions } from '../../src/server/start-server.ts';
import { type Call, refuse, startFakeApiServer } from '../cluster/fake-api-server.ts';
import { FakeCollection } from '../cluster/fake-collection.ts';
import { soon } from '../cluster/live-view-rig.ts';
import { type Server, serve } from './fixtures.ts';

/** A fake API server with any objects, and a podgraft server that watches them. */
export interface WatchedCluster {
  readonly server: Server;
  readonly client: KubeClient;
  put(...objects: readonly KubeObject[]): void;
  remove(object: KubeObject): void;
  stop(): Promise<void>;
}

export interface WatchedClusterOptions {
  readonly objects: readonly KubeObject[];
  /** Answers calls that are not reads. Default: they are refused. */
  readonly answer?: (call: Call, response: ServerResponse) => void;
  readonly options?: (client: KubeClient) => Partial<ServerOptions>;
}

export async function watchedCluster(
  config: string,
  { objects, answer, options }: WatchedClusterOptions,
): Promise<WatchedCluster> {
  const collections = new Map<string, FakeCollection>();
  const api = await startFakeApiServer((call, response) => {
    if (call.method !== 'GET') return (answer ?? notFound)(call, response);
    const [, resource = ''] = /([^/]+)$/.exec(call.path) ?? [];
    collectionOf(resource).handle(call, response);
  });
  const client = createClient(api.connection());
  const { pipeline } = await parseConfigText(config, 'test.yaml');
  const reads = pipeline.stages.flatMap((stage) => stage.reads);
  const view = createLiveView({ client, reads });
  const ending = new AbortController();

  function collectionOf(resource: string, namespace = ''): FakeCollection {
    const found = collections.get(resource) ?? new FakeCollection(namespace);
    collections.set(resource, found);
    return found;
  }
  function collectionFor({ apiVersion, kind, metadata }: KubeObject): FakeCollection {
    const resource = resourceOf(groupOf(apiVersion), kind)?.resource ?? '';
    return collectionOf(resource, metadata.namespace);
  }
  const put = (...all: readonly KubeObject[]) => {
    for (const object of all) {
      const { metadata, ...rest } = object;
      collectionFor(object).put(metadata.name ?? '', rest);
    }
  };

  put(...objects);
  void view.start(ending.signal);
  await soon(() => {
    if (!view.synced().synced) throw new Error(view.synced().detail.join('; '));
  });
  const server = await serve(config, {
    pipeline,
    cluster: view,
    gather: (needs, milliseconds) => view.read(needs, milliseconds),
    ...options?.(client),
  });
  return {
    server,
    client,
    put,
    remove: (object) => collectionFor(object).remove(object.metadata.name ?? ''),
    async stop() {
      await server.drain();
      ending.abort();
      client.close();
      await api.stop();
    },
  };
}

function notFound(_: Call, response: ServerResponse): void {
  refuse(response, 404, 'NotFound');
}
