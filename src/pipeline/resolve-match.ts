import { builtin, knownResource, type ResourceRef, unknownKind } from '../kube/resource.ts';
import { ConfigError } from '../sdk/config.ts';
import type { Match } from '../sdk/match.ts';
import type { AdmissionOperation } from '../sdk/request.ts';

/** A match with all defaults. Each has all members, in the same order: V8 then reads those of many injectors as fast as those of one. */
export type ResolvedMatch = {
  readonly kinds: readonly (ResourceRef | '*')[];
  readonly operations: readonly (AdmissionOperation | '*')[];
} & { readonly [Field in (typeof SINGLE)[number]]: Match[Field] | undefined };

/**
 * Narrows an injector's match by that of the configuration. An injector for everything (`*`) is for Pods on CREATE by default,
 * unless `allKinds`. The configuration cannot widen the match.
 */
export function resolveMatch(own: Match, narrowing: Match, allKinds = false): ResolvedMatch {
  for (const field of SINGLE) {
    // A webhook configuration has room for one selector only.
    if (own[field] && narrowing[field]) throw issue(['match', field], 'the injector sets it itself');
  }
  const pods = [builtin('Pod')];
  const both: Match = { ...own, ...narrowing };
  return {
    kinds: narrow(
      'kinds',
      resolveKinds(own.kinds) ?? pods,
      resolveKinds(narrowing.kinds ?? (allKinds ? ['*'] : undefined)),
      pods,
    ),
    operations: narrow('operations', own.operations ?? ['CREATE'], narrowing.operations, ['CREATE']),
    namespaces: both.namespaces,
    namespaceSelector: both.namespaceSelector,
    objectSelector: both.objectSelector,
    annotations: both.annotations,
    hasAnnotations: both.hasAnnotations,
    names: both.names,
    users: both.users,
    groups: both.groups,
    exclude: both.exclude,
    conditions: both.conditions,
  };
}

const SINGLE = [
  'namespaces',
  'namespaceSelector',
  'objectSelector',
  'annotations',
  'hasAnnotations',
  'names',
  'users',
  'groups',
  'exclude',
  'conditions',
] as const;

type Kind = ResourceRef | '*';

function resolveKinds(kinds: Match['kinds']): readonly Kind[] | undefined {
  return kinds?.map((name, index) => {
    if (typeof name !== 'string') return name;
    if (name === '*') return name;
    const ref = knownResource(name);
    if (ref !== undefined) return ref;
    throw issue(['match', 'kinds', index], unknownKind(name));
  });
}

function narrow<T extends Kind | AdmissionOperation>(
  field: string,
  own: readonly (T | '*')[],
  wanted: readonly (T | '*')[] | undefined,
  fallback: readonly T[],
): readonly (T | '*')[] {
  if (wanted === undefined) return own.includes('*') ? fallback : own;
  const allowed = own.map(nameOf);
  const beyond = wanted.map(nameOf).find((name) => !allowed.includes(name) && !allowed.includes('*'));
  if (beyond === undefined) return wanted;
  throw issue(['match', field], `the injector does not support "${beyond}", only ${allowed.join(', ')}`);
}

function nameOf(item: Kind | AdmissionOperation): string {
  if (typeof item === 'string') return item;
  return item.group === '' ? item.kind : `${item.kind}.${item.group}`;
}

function issue(path: readonly (string | number)[], message: string): ConfigError {
  return new ConfigError([{ path, message }]);
}
