import type { Overlay } from '../graft/overlay.ts';
import type { JsonObject } from '../json/json.ts';
import type { Pod } from '../kube/generated/types.ts';
import type { DeepReadonly, KubeObject } from '../kube/kube-object.ts';
import type { ResourceRef } from '../kube/resource.ts';
import type { CallView } from './calls.ts';
import type { ClusterView } from './cluster-view.ts';
import type { ConfigIssue } from './config.ts';
import type { FileSource, FileView } from './file-view.ts';
import type { KindRule, Match, Selection } from './match.ts';
import type { ObjectRef, ReadRef } from './reads.ts';
import type { Request } from './request.ts';

/**
 * A named unit of injection. `inject` is pure and synchronous: no clock, no randomness, no I/O. It is called again until no
 * injector changes anything.
 */
export interface Injector<T = Pod, C = unknown> {
  readonly name: string;
  /** One line for people who choose among injectors. */
  readonly summary: string;
  /** Commented YAML of an entry, without its `name` and `use`, for `podgraft init`. */
  readonly starter?: string;
  /** For the playground: an object to try it on, followed by what else the cluster would have. */
  readonly sample?: Sample;
  readonly match: Match;
  /** Mutually exclusive label selectors for its objects. One webhook is generated for each. */
  selections?(config: C): readonly Selection[];
  /**
   * For an injector whose objects name the kinds that they are for: these kinds. It then matches all kinds by default, and the
   * webhook configuration is generated from the rules. Without a view, or if undefined, objects of any kind are sent.
   */
  kindsFrom?(config: C, cluster: ClusterView | undefined): readonly KindRule[] | undefined;
  /** URL paths, with everything below them, that mutate like `/mutate`: those of the webhook it replaces. */
  readonly paths?: readonly `/${string}`[];
  /** What it looks up in the cluster view, as narrow as possible: watches and RBAC are generated from it. */
  reads?(config: C): readonly ReadRef[];
  /** Whether it asks the cluster's authorizer, by `calls`: the server may then create SubjectAccessReviews. */
  asksAuthorizer?(config: C): boolean;
  /** The objects this request depends on. The server makes sure that they are in the cluster view before `inject` runs. */
  needs?(object: DeepReadonly<T>, context: Pick<Context<C>, 'request' | 'config'>): readonly ObjectRef[];
  /** Kinds of the API server's admission that it runs instead: the playground's model of the API server leaves them out. */
  readonly runs?: readonly string[];
  /** Definitions of the custom resources it reads, for `podgraft manifests`. */
  crds?(): readonly KubeObject[];
  /** Files it depends on. The server watches them and ignores a version that cannot be parsed. */
  files?(config: C): readonly FileSource[];
  /** Loads code that this `with:` needs and others do not. Awaited before `config`. */
  prepare?(raw: unknown): Promise<void>;
  /** Parses `with:`; throws a ConfigError that names the bad key. */
  readonly config?: (raw: unknown) => C;
  /**
   * Settings that are invalid for every matched kind, with paths below `with:`. They are errors at the start, or warnings.
   * `definitions` are the CustomResourceDefinitions that are known without a cluster.
   */
  check?(
    config: C,
    kinds: readonly (ResourceRef | '*')[],
    definitions: readonly KubeObject[],
  ): readonly ConfigIssue[];
  /**
   * The overlay for every matched object, if the configuration alone determines it: conflicts are found at the start. Default: the
   * part of `asOverlay` without expressions.
   */
  claims?(config: C): Overlay<T>;
  /** All that it does, for an injector that merges a declared overlay: `podgraft manifests` can make policies of it. */
  asOverlay?(config: C): DeclaredOverlay;
  /**
   * What is wrong with the objects and files it reads, for `/readyz`, metrics and log; it keeps using the last good ones. Called every
   * few seconds once the view is complete, so that problems show before the first request. `inject`, `explain` and `test` call it
   * once: a text is a warning.
   */
  problems?(config: C, cluster: ClusterView, files: FileView): readonly (string | ReadProblem)[];
  inject(object: DeepReadonly<T>, context: Context<C>): Verdict<T>;
  /**
   * Judges the object that all injectors have left unchanged, on `/validate` and in `inject` and `explain`. Undefined if it has
   * no judgement.
   */
  validate?(object: DeepReadonly<T>, context: Context<C>): Validation | undefined;
}

export interface Context<C = unknown> {
  readonly request: Request;
  readonly cluster: ClusterView;
  readonly files: FileView;
  /** Replies of other services and of the cluster's authorizer. */
  readonly calls: CallView;
  readonly config: C;
}

export type Verdict<T = Pod> =
  | (Remarks & { readonly overlay: Overlay<T> })
  | (Remarks & { readonly target: DeepReadonly<T> })
  | (Remarks & { readonly skip: string })
  | (Omit<Remarks, 'warnings'> & { readonly deny: string; readonly fault?: Error });

export interface Remarks {
  /** Shown to the user who sent the object. */
  readonly warnings?: readonly string[];
  /** How the verdict came about, for the trace. */
  readonly notes?: readonly string[];
}

/** An overlay whose texts may be CEL expressions. */
export interface DeclaredOverlay {
  readonly overlay: JsonObject;
  /** Expressions by name. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The object that expressions see as `params`. Without a namespace it is in that of the object. */
  readonly params?: ObjectRef;
}

/** A problem with something that an injector reads. */
export interface ReadProblem {
  readonly message: string;
  /** For commands: `error` if what was given is wrong, `warning` if it is only missing. */
  readonly severity: 'error' | 'warning';
  /** The object of the cluster view: commands name its file and line. */
  readonly object?: object;
}

export interface Sample {
  readonly title: string;
  /** One or more documents. */
  readonly yaml: string;
}

/** An injector's judgement of the final object, which it cannot change; or why it has none. */
export type Validation = Judgement | (Remarks & { readonly skip: string });

type Judgement = Remarks & {
  /** One line for the trace. */
  readonly summary: string;
  /** Why the object is rejected. */
  readonly deny?: string;
  /** For the cluster's audit log; keys are Kubernetes qualified names without a prefix. */
  readonly audit?: { readonly [key: string]: string };
};

/** Any injector, whatever its object and configuration. */
// biome-ignore lint/suspicious/noExplicitAny: T and C are both co- and contravariant, so that only `any` admits them all.
export type AnyInjector = Injector<any, any>;

/** Lets TypeScript infer the configuration's type from `config`. */
export function defineInjector<C = undefined, T = Pod>(injector: Injector<T, C>): Injector<T, C> {
  return injector;
}
