import { isRefusal } from '../cluster/client/api-error.ts';
import { createClient, type KubeClient } from '../cluster/client/client.ts';
import { findConnection } from '../cluster/client/find-connection.ts';
import type { ResourceRef } from '../kube/resource.ts';
import { CLUSTER_KINDS, customKinds, NAMESPACE_KINDS, SECRET } from '../lint/live-kinds.ts';
import { backendsOf } from '../lint/model/backend.ts';
import { createInventory, type Unchecked } from '../lint/model/inventory.ts';
import type { Source } from '../lint/model/source.ts';
import { mountedSecrets } from '../lint/model/trust.ts';
import type { ConnectOptions } from './open-views.ts';

export interface LintCluster {
  readonly sources: readonly Source[];
  /** Kinds that could not be read. */
  readonly unchecked: readonly Unchecked[];
}

/** Reads the objects that the rules check: all configurations, and the objects around the servers of webhooks. Nothing is written. */
export async function readLintCluster({ kubeconfig, context }: ConnectOptions): Promise<LintCluster> {
  const connection = findConnection({ ...(kubeconfig && { path: kubeconfig }), ...(context && { context }) });
  const client = createClient(connection);
  try {
    const unreadable = new Map<string, string>();
    const read = (kinds: readonly ResourceRef[], namespace?: string) =>
      listAll(client, kinds, unreadable, namespace);
    const configurations = await read(CLUSTER_KINDS);
    const namespaces = new Set(backends(configurations).map(({ ref }) => ref.namespace));
    const around = await Promise.all([...namespaces].map((name) => read(NAMESPACE_KINDS, name)));
    const custom = await read(customKinds(configurations));
    const known = [...configurations, ...custom, ...around.flat()];
    const secrets = await readSecrets(client, known, unreadable);
    return {
      sources: [...known, ...secrets],
      unchecked: [...unreadable].map(([subject, why]) => ({ subject, why })),
    };
  } finally {
    client.close();
  }
}

function backends(sources: readonly Source[]) {
  return backendsOf(createInventory(sources, { isLive: true, now: new Date() }));
}

async function listAll(
  client: KubeClient,
  kinds: readonly ResourceRef[],
  unreadable: Map<string, string>,
  namespace?: string,
): Promise<Source[]> {
  const lists = await Promise.all(
    kinds.map(async (ref) => {
      try {
        return await listPages(client, ref, namespace);
      } catch (error) {
        unreadable.set(ref.kind, refusalOf(error));
        return [];
      }
    }),
  );
  return lists.flat();
}

async function listPages(client: KubeClient, ref: ResourceRef, namespace?: string): Promise<Source[]> {
  const sources: Source[] = [];
  let token: string | undefined;
  do {
    const page = await client.list(ref, {
      limit: 500,
      ...(namespace !== undefined && { namespace }),
      ...(token !== undefined && { continue: token }),
    });
    for (const object of page.items) sources.push({ object });
    token = page.continue;
  } while (token !== undefined);
  return sources;
}

async function readSecrets(
  client: KubeClient,
  known: readonly Source[],
  unreadable: Map<string, string>,
): Promise<Source[]> {
  const targets = backends(known).flatMap(({ ref, workloads }) =>
    mountedSecrets(workloads).map((name) => ({ ref: SECRET, namespace: ref.namespace, name })),
  );
  const found = await Promise.all(
    targets.map(async (target) => {
      try {
        const object = await client.get(target);
        return object === undefined ? [] : [{ object }];
      } catch (error) {
        unreadable.set('Secret', refusalOf(error));
        return [];
      }
    }),
  );
  return found.flat();
}

/** Older clusters lack some kinds, and a user may not be allowed to read others. Anything else ends the command. */
function refusalOf(error: unknown): string {
  if (isRefusal(error) && (error.status === 403 || error.status === 404)) return error.message;
  throw error;
}
