import { type Backend, backendsOf } from './backend.ts';
import type { Inventory } from './inventory.ts';
import type { Request } from './request.ts';
import { ruleFor } from './request-match.ts';
import { needsLabel } from './selector.ts';
import { failsClosed, type Webhook } from './webhook.ts';

/** Requests by which the Pods of a server are created. */
const STARTING: readonly Pick<Request, 'group' | 'resource'>[] = [
  { group: '', resource: 'pods' },
  { group: 'apps', resource: 'replicasets' },
  { group: '', resource: 'serviceaccounts/token' },
  { group: '', resource: 'pods/binding' },
];

/** The first request that starting a server needs and for which the webhook is called; undefined if there is none. */
export function intercepts(
  inventory: Inventory,
  webhook: Webhook,
  server: Backend,
): StartRequest | undefined {
  const namespace = inventory.namespace(server.ref.namespace);
  for (const { group, resource } of STARTING) {
    for (const labels of labelsOfPods(server, webhook)) {
      const request = { group, resource, operation: 'CREATE', namespace, labels } as const;
      const rule = ruleFor(webhook, request);
      if (rule !== undefined) return { resource, path: rule.path };
    }
  }
  return undefined;
}

export interface StartRequest {
  readonly resource: string;
  /** Of the webhook's rule. */
  readonly path: string;
}

/** If the workload is unknown, its Pods may have any label that excludes them: only a webhook without such an exemption counts. */
function labelsOfPods({ workloads }: Backend, { objectSelector }: Webhook) {
  if (workloads.length > 0) return workloads.map(({ labels }) => labels);
  return objectSelector.length === 0 || needsLabel(objectSelector) ? [{}] : [];
}

/** For each server, the other servers that must be up for its Pods to start, with the webhook that requires it. */
export function dependencies(inventory: Inventory): ReadonlyMap<Backend, ReadonlyMap<Backend, Webhook>> {
  const servers = backendsOf(inventory);
  return new Map(
    servers.map((server) => {
      const needed = new Map<Backend, Webhook>();
      for (const other of servers) {
        if (other === server) continue;
        const webhook = other.webhooks.find(
          (each) => failsClosed(each) && intercepts(inventory, each, server) !== undefined,
        );
        if (webhook !== undefined) needed.set(other, webhook);
      }
      return [server, needed];
    }),
  );
}

/** A shortest cycle through each server that is part of one, without duplicates. */
export function cycles(graph: ReadonlyMap<Backend, ReadonlyMap<Backend, Webhook>>): Backend[][] {
  const seen = new Set<string>();
  return [...graph.keys()].flatMap((start) => {
    const cycle = shortestCycle(graph, start);
    if (cycle === undefined) return [];
    const key = cycle
      .map(({ ref }) => `${ref.namespace}/${ref.name}`)
      .toSorted()
      .join();
    if (seen.has(key)) return [];
    seen.add(key);
    return [cycle];
  });
}

function shortestCycle(
  graph: ReadonlyMap<Backend, ReadonlyMap<Backend, Webhook>>,
  start: Backend,
): Backend[] | undefined {
  const queue: Backend[][] = [[start]];
  const visited = new Set<Backend>();
  for (const path of queue) {
    for (const next of graph.get(path.at(-1) as Backend)?.keys() ?? []) {
      if (next === start) return path;
      if (!visited.has(next)) {
        visited.add(next);
        queue.push([...path, next]);
      }
    }
  }
  return undefined;
}
