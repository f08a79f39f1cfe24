import { labelsOf, type StringMap } from '../../kube/kube-object.ts';
import type { Source } from './source.ts';
import { type Webhook, webhooksOf } from './webhook.ts';

/** All objects that rules look at. */
export interface World {
  readonly webhooks: readonly Webhook[];
  /** Whether the objects are those of a cluster. */
  readonly isLive: boolean;
  readonly now: Date;
  /** Whether an object of the kind that is not here does not exist: files may leave it out, and a user may not be allowed to read it. */
  isComplete(kind: string): boolean;
  /** Objects of a kind, of all namespaces unless one is given. */
  list(kind: string, namespace?: string): readonly Source[];
  find(kind: string, namespace: string | undefined, name: string): Source | undefined;
  /** The namespace with its labels, as far as they are known. */
  namespace(name: string): { readonly name: string; readonly labels: StringMap };
}

export interface WorldOptions {
  readonly isLive: boolean;
  readonly now: Date;
  /** Kinds of the cluster that could not be read. */
  readonly unreadable?: readonly string[];
}

export function createWorld(sources: readonly Source[], options: WorldOptions): World {
  const { isLive, now, unreadable = [] } = options;
  const byKind = new Map<string, Source[]>();
  for (const source of sources) {
    const { kind } = source.object;
    const same = byKind.get(kind);
    if (same === undefined) byKind.set(kind, [source]);
    else same.push(source);
  }
  const list: World['list'] = (kind, namespace) => {
    const all = byKind.get(kind) ?? [];
    if (namespace === undefined) return all;
    return all.filter(({ object }) => (object.metadata.namespace ?? 'default') === namespace);
  };
  const find: World['find'] = (kind, namespace, name) =>
    list(kind, namespace).find(({ object }) => object.metadata.name === name);
  return {
    webhooks: sources.flatMap(webhooksOf),
    isLive,
    now,
    isComplete: (kind) => isLive && !unreadable.includes(kind),
    list,
    find,
    namespace(name) {
      const found = find('Namespace', undefined, name);
      return { name, labels: found === undefined ? {} : labelsOf(found.object) };
    },
  };
}
