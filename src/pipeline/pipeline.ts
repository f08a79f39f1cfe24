import type { AnyInjector } from '../sdk/injector.ts';
import type { Match } from '../sdk/match.ts';
import { type ResolvedMatch, resolveMatch } from './resolve-match.ts';

/** One entry of the configuration: an injector, where it applies, and what it was told. */
export interface Entry {
  readonly name: string;
  readonly injector: AnyInjector;
  readonly match?: Match;
  readonly config?: unknown;
}

/** Injectors in order, checked once, ready to run on any number of requests. */
export interface Pipeline {
  readonly stages: readonly Stage[];
  readonly excludedNamespaces: ReadonlySet<string>;
}

export interface Stage {
  readonly name: string;
  readonly injector: AnyInjector;
  readonly match: ResolvedMatch;
  readonly config: unknown;
  readonly idempotent: boolean;
}

export const DEFAULT_EXCLUDED_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease'] as const;

export function createPipeline(
  entries: readonly Entry[],
  excludedNamespaces: readonly string[] = DEFAULT_EXCLUDED_NAMESPACES,
): Pipeline {
  return {
    stages: entries.map(({ name, injector, match = {}, config }) => ({
      name,
      injector,
      match: resolveMatch(injector.match, match),
      config,
      idempotent:
        typeof injector.idempotent === 'function'
          ? injector.idempotent(config)
          : injector.idempotent === true,
    })),
    excludedNamespaces: new Set(excludedNamespaces),
  };
}
