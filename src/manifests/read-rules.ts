import { builtin, type ReadRef } from '../kube/resource.ts';
import { kindKey, type ScopedReads, scopedReads } from '../kube/scope.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';

/** One rule of a role, and for whom it is. */
export interface ReadRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Left out where it holds for any. */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
  readonly readers: readonly string[];
}

/** What the live view lists, watches and reads. */
export interface ReadRules {
  readonly everywhere: readonly ReadRule[];
  readonly inNamespaces: readonly NamespaceRules[];
}

export interface NamespaceRules {
  readonly namespace: string;
  readonly rules: readonly ReadRule[];
}

/** Only what injectors declare, and Namespaces for their labels. */
export function readRules({ stages }: Pipeline): ReadRules {
  const own: Read = { ...builtin('Namespace'), reader: 'podgraft itself, for namespaceSelectors' };
  const reads = stages.flatMap((stage) => stage.reads.map((read): Read => ({ ...read, reader: stage.name })));
  const scoped = scopedReads([own, ...reads]);
  const namespaces = new Set(scoped.flatMap(({ scope }) => scope.namespace ?? []));
  const rulesIn = (namespace: string | undefined) =>
    rulesFor(scoped.filter(({ scope }) => scope.namespace === namespace));
  return {
    everywhere: rulesIn(undefined),
    inNamespaces: [...namespaces].map((namespace) => ({ namespace, rules: rulesIn(namespace) })),
  };
}

type Read = ReadRef & { readonly reader: string };

/** All names of one kind go into one rule. */
function rulesFor(scoped: readonly ScopedReads<Read>[]): readonly ReadRule[] {
  const rules = new Map<string, ReadRule>();
  for (const { ref, scope, reads } of scoped) {
    const { name } = scope;
    const key = `${kindKey(ref)} ${name === undefined ? 'any' : 'named'}`;
    const { resourceNames = [], readers = [] } = rules.get(key) ?? {};
    rules.set(key, {
      apiGroups: [ref.group],
      resources: [ref.resource],
      ...(name !== undefined && { resourceNames: [...resourceNames, name] }),
      // With names, those lists and watches are allowed that select one of them by metadata.name.
      verbs: ['get', 'list', 'watch'],
      readers: [...new Set([...readers, ...reads.map(({ reader }) => reader)])],
    });
  }
  return [...rules.values()];
}
