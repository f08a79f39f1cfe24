import type { JsonObject } from '../json/json.ts';
import type { ReadRef } from '../kube/resource.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import type { Match } from '../sdk/match.ts';
import { mayDisturb } from './disturbs.ts';
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
  /** What it may look up in the cluster view. */
  readonly reads: readonly ReadRef[];
  readonly idempotent: boolean;
  /** All it can wish for, where that is the same for every object. */
  readonly wishes: JsonObject | undefined;
  /** Indices of the stages, never its own, that have to look again after it has changed something. */
  readonly disturbs: readonly number[];
}

export const DEFAULT_EXCLUDED_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease'] as const;

export function createPipeline(
  entries: readonly Entry[],
  excludedNamespaces: readonly string[] = DEFAULT_EXCLUDED_NAMESPACES,
): Pipeline {
  const stages = entries.map(toStage);
  return {
    stages: stages.map((stage) => ({
      ...stage,
      disturbs: [...stages.keys()].filter((index) => {
        const other = stages[index];
        return other !== undefined && other !== stage && mayDisturb(stage, other);
      }),
    })),
    excludedNamespaces: new Set(excludedNamespaces),
  };
}

function toStage({ name, injector, match = {}, config }: Entry): Omit<Stage, 'disturbs'> {
  const { idempotent } = injector;
  return {
    name,
    injector,
    match: resolveMatch(injector.match, match),
    config,
    reads: injector.reads?.(config) ?? [],
    idempotent: typeof idempotent === 'function' ? idempotent(config) : idempotent === true,
    wishes: injector.wishes?.(config),
  };
}
