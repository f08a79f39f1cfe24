import { unconditionalPart } from '../graft/overlay-expressions.ts';
import { asJson } from '../kube/kube-object.ts';
import type { CustomWorkload } from '../kube/workload.ts';
import type { FileSource } from '../sdk/file-view.ts';
import type { AnyInjector } from '../sdk/injector.ts';
import type { Match } from '../sdk/match.ts';
import type { ReadRef } from '../sdk/reads.ts';
import { type Claim, checkConflicts } from './check-conflicts.ts';
import { type ResolvedMatch, resolveMatch } from './resolve-match.ts';

/** One entry of the configuration. */
export interface Entry {
  readonly name: string;
  readonly injector: AnyInjector;
  readonly match?: Match;
  readonly config?: unknown;
  readonly onError?: OnError;
}

/** What an exception of an injector does: fail the whole request, or skip the injector with a warning. */
export type OnError = 'fail' | 'skip';

/** What happens to an object that is too large for injectors. */
export type Oversized = 'allow' | 'deny';

/** Injectors in order, checked once, ready for any number of requests. */
export interface Pipeline {
  readonly stages: readonly Stage[];
  readonly excludedNamespaces: ReadonlySet<string>;
  readonly oversized: Oversized;
  /** Kinds of workloads in files besides the well-known ones. On a cluster, their Pods arrive by themselves. */
  readonly workloads?: readonly CustomWorkload[];
}

export interface Stage {
  readonly name: string;
  readonly injector: AnyInjector;
  readonly match: ResolvedMatch;
  readonly config: unknown;
  /** What it may look up in the cluster view. */
  readonly reads: readonly ReadRef[];
  readonly onError: OnError;
}

export const DEFAULT_EXCLUDED_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease'] as const;

export function createPipeline(
  entries: readonly Entry[],
  excludedNamespaces: readonly string[] = DEFAULT_EXCLUDED_NAMESPACES,
  oversized: Oversized = 'allow',
): Pipeline {
  const stages = entries.map(toStage);
  checkConflicts(stages.flatMap(claimOf));
  return { stages, excludedNamespaces: new Set(excludedNamespaces), oversized };
}

function toStage({ name, injector, match = {}, config, onError = 'fail' }: Entry): Stage {
  return {
    name,
    injector,
    match: resolveMatch(injector.match, match, injector.kindsFrom !== undefined),
    config,
    reads: injector.reads?.(config) ?? [],
    onError,
  };
}

function claimOf({ name, match, injector, config }: Stage): readonly Claim[] {
  const claimed = injector.claims?.(config) as object | undefined;
  if (claimed !== undefined) return [{ name, match, overlay: asJson(claimed) }];
  const declared = injector.asOverlay?.(config);
  return declared === undefined ? [] : [{ name, match, overlay: unconditionalPart(declared.overlay) }];
}

/** The files that injectors depend on: the server watches them. */
export function fileSources({ stages }: Pipeline): readonly FileSource[] {
  return stages.flatMap(({ injector, config }) => injector.files?.(config) ?? []);
}
