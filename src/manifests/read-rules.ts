import { builtin } from '../kube/resource.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { ReadRef } from '../sdk/reads.ts';
import { kindKey, type ScopedReads, scopedReads } from '../sdk/reads.ts';

/** One RBAC rule. */
export interface ReadRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  /** Absent if the rule applies to all names. */
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
  /** The injectors that need the rule, for a comment. */
  readonly readers: readonly string[];
}

export interface ReadRules {
  readonly everywhere: readonly ReadRule[];
  readonly inNamespaces: readonly { readonly namespace: string; readonly rules: readonly ReadRule[] }[];
}

/** Read access to what the injectors declare in `reads`, and to Namespaces for their labels. */
export function readRules({ stages }: Pipeline): ReadRules {
  const own: Read = { ...builtin('Namespace'), reader: 'podgraft itself, to evaluate namespaceSelectors' };
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

/** The injectors that ask the cluster's authorizer. */
export function authorizerUsers({ stages }: Pipeline): readonly string[] {
  return stages.filter(({ injector, config }) => injector.asksAuthorizer?.(config)).map(({ name }) => name);
}

type Read = ReadRef & { readonly reader: string };

/** Combines all names of one kind in one rule. */
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
      // With resourceNames, RBAC allows `list` and `watch` if they select one of the names by metadata.name.
      verbs: ['get', 'list', 'watch'],
      readers: [...new Set([...readers, ...reads.map(({ reader }) => reader)])],
    });
  }
  return [...rules.values()];
}
