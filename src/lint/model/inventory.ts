import type { X509Certificate } from 'node:crypto';
import { labelsOf, type StringMap } from '../../kube/kube-object.ts';
import type { Source } from './source.ts';
import { type Webhook, webhooksOf } from './webhook.ts';

/** All objects that rules check. */
export interface Inventory {
  readonly webhooks: readonly Webhook[];
  /** Whether the objects are those of a cluster. */
  readonly isLive: boolean;
  readonly now: Date;
  /** Whether a missing object of the kind is known not to exist: files may omit it, and a user may not be allowed to read it. */
  isComplete(kind: string): boolean;
  /** Objects of a kind, of all namespaces unless one is given. */
  list(kind: string, namespace?: string): readonly Source[];
  find(kind: string, namespace: string | undefined, name: string): Source | undefined;
  /** The namespace. Its labels are absent if the namespaces of the cluster could not be read. */
  namespace(name: string): { readonly name: string; readonly labels?: StringMap };
  /** The certificates that the server at a URL presents, its own first; undefined if it was not called. */
  presentedAt(url: string): readonly X509Certificate[] | undefined;
}

/** Something that could not be checked. */
export interface Unchecked {
  /** A kind, or a phrase such as `the certificate of https://example.com`. */
  readonly subject: string;
  readonly why: string;
}

export interface InventoryOptions {
  readonly isLive: boolean;
  readonly now: Date;
  readonly unchecked?: readonly Unchecked[];
  /** What servers present in a TLS handshake, by the URL of their webhooks. */
  readonly presented?: ReadonlyMap<string, readonly X509Certificate[]>;
}

export function createInventory(sources: readonly Source[], options: InventoryOptions): Inventory {
  const { isLive, now, unchecked = [], presented } = options;
  const byKind = new Map<string, Source[]>();
  for (const source of sources) {
    const { kind } = source.object;
    const same = byKind.get(kind);
    if (same === undefined) byKind.set(kind, [source]);
    else same.push(source);
  }
  const list: Inventory['list'] = (kind, namespace) => {
    const all = byKind.get(kind) ?? [];
    if (namespace === undefined) return all;
    return all.filter(({ object }) => (object.metadata.namespace ?? 'default') === namespace);
  };
  const find: Inventory['find'] = (kind, namespace, name) =>
    list(kind, namespace).find(({ object }) => object.metadata.name === name);
  const isUnchecked = (kind: string) => unchecked.some(({ subject }) => subject === kind);
  return {
    webhooks: sources.flatMap(webhooksOf),
    isLive,
    now,
    isComplete: (kind) => isLive && !isUnchecked(kind),
    list,
    find,
    namespace(name) {
      const found = find('Namespace', undefined, name);
      if (found !== undefined) return { name, labels: labelsOf(found.object) };
      return isUnchecked('Namespace') ? { name } : { name, labels: {} };
    },
    presentedAt: (url) => presented?.get(url),
  };
}
