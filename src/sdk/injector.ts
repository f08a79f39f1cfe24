import type { Overlay } from '../graft/overlay.ts';
import type { JsonObject } from '../json/json.ts';
import type { Pod } from '../kube/generated/types.ts';
import type { DeepReadonly } from '../kube/kube-object.ts';
import type { ObjectRef, ReadRef, ResourceRef } from '../kube/resource.ts';
import type { ClusterView } from './cluster-view.ts';
import type { ConfigIssue } from './config.ts';
import type { FileSource, FileView } from './file-view.ts';
import type { Match, Selection } from './match.ts';
import type { Request } from './request.ts';

/** A named unit of injection. `inject` is pure and synchronous: no clock, no randomness, no input or output. */
export interface Injector<T = Pod, C = unknown> {
  readonly name: string;
  /** One line for those who choose among injectors. */
  readonly summary: string;
  readonly match: Match;
  /** Alternatives by which labels select objects for it, no two for the same object: a webhook is generated for each. */
  selections?(config: C): readonly Selection[];
  /**
   * Its own result needs no second look. Without it every change is confirmed by another run, which finds an injector that
   * would go on for ever; say it once cases in `podgraft/testing`, which never believe it, have shown that it holds.
   */
  readonly idempotent?: true | ((config: C) => boolean);
  /**
   * The overlay that it always gives, whatever the object: it is then not asked again after changes at other places. In a list,
   * a name with `*` stands for items that are there.
   */
  wishes?(config: C): JsonObject;
  /** What it may look up in the cluster view, as narrow as it can say: watches and RBAC are generated from it. */
  reads?(config: C): readonly ReadRef[];
  /** The very objects this request depends on; the edge makes sure that they are in the view before anyone decides. */
  needs?(request: Request, config: C): readonly ObjectRef[];
  /** Files it depends on, as `with:` names them: the edge watches them, and refuses what cannot be parsed. */
  files?(config: C): readonly FileSource[];
  /** Reads what stands under `with:`; throws a coded error that names the bad key. */
  readonly config?: (raw: unknown) => C;
  /**
   * What in its configuration no object of the kinds can have that it is matched with, with places below `with:`. It is an error
   * at the start then, and not for whoever creates such an object.
   */
  check?(config: C, kinds: readonly (ResourceRef | '*')[]): readonly ConfigIssue[];
  /**
   * What is wrong with what it reads right now, for `/readyz`, metrics and log; it goes on with the last that was good. Asked
   * every few seconds, once the view is complete, so that it shows before the first request.
   */
  problems?(config: C, cluster: ClusterView): readonly string[];
  inject(object: DeepReadonly<T>, context: Context<C>): Verdict<T>;
}

export interface Context<C = unknown> {
  /** Without its object, which others may have changed by now: what counts is the one that is given beside the context. */
  readonly request: Omit<Request, 'object'>;
  readonly cluster: ClusterView;
  readonly files: FileView;
  readonly config: C;
}

export type Verdict<T = Pod> =
  | { readonly overlay: Overlay<T>; readonly warnings?: readonly string[] }
  | { readonly target: DeepReadonly<T>; readonly warnings?: readonly string[] }
  | { readonly skip: string; readonly warnings?: readonly string[] }
  | { readonly deny: string };

/** Any injector, whatever it injects into and however it is configured. */
// biome-ignore lint/suspicious/noExplicitAny: T and C stand in both directions, so that only `any` admits them all.
export type AnyInjector = Injector<any, any>;

/** Lets TypeScript infer the configuration's type from `config`. */
export function defineInjector<C = undefined, T = Pod>(injector: Injector<T, C>): Injector<T, C> {
  return injector;
}
