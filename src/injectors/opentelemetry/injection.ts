import {
  builtin,
  type Container,
  type Context,
  type DeepReadonly,
  type Pod,
  type StringMap,
} from '../../sdk/index.ts';
import { isFalse, isTrue } from './annotations.ts';
import type { Options } from './options.ts';
import { type Owner, ownersOf } from './owners.ts';
import { type PodPlan, planPod, type Target } from './plan/pod-plan.ts';
import type { Instrumentation } from './resources/instrumentation.ts';

const NAMESPACE = builtin('Namespace');

/** The inputs and results of one call. */
export interface Injection {
  readonly pod: DeepReadonly<Pod>;
  readonly namespace: string;
  readonly cluster: Context['cluster'];
  readonly options: Options;
  readonly podAnnotations: StringMap;
  readonly namespaceAnnotations: StringMap;
  readonly owners: readonly Owner[];
  readonly plan: PodPlan;
  /** Requests that the configuration forbids. They deny the Pod. */
  readonly denials: string[];
  /** Why requested injections are impossible. They deny the Pod under `strict`. */
  readonly problems: string[];
  /** Warnings that never deny the Pod. */
  readonly advice: string[];
}

/** The injection of one language. */
export interface LanguageInjection extends Injection {
  readonly instrumentation: Instrumentation;
  /** The attributes that identify the source of a container's telemetry, sorted by key. */
  readonly attributesOf: (app: DeepReadonly<Container>) => ReadonlyMap<string, string>;
}

export interface Language {
  /** Whether the agent works in init containers. */
  readonly supportsInitContainers: boolean;
  /** Plans the language for these containers, or reports problems. */
  inject(targets: readonly Target[], injection: LanguageInjection): void;
}

export function startInjection(pod: DeepReadonly<Pod>, context: Context<Options>): Injection {
  const { cluster, config: options } = context;
  const { namespace } = context.request;
  const namespaceObject = cluster.get(NAMESPACE, undefined, namespace);
  return {
    pod,
    namespace,
    cluster,
    options,
    podAnnotations: texts(pod.metadata?.annotations),
    namespaceAnnotations: texts(namespaceObject?.metadata.annotations),
    owners: ownersOf(pod, namespace, cluster),
    plan: planPod(pod),
    denials: [],
    problems: [],
    advice: [],
  };
}

/** Annotations whose values are texts: in a file they may lack quotes, and webhooks run before validation. */
export function texts(annotations: StringMap = {}): StringMap {
  const values: readonly unknown[] = Object.values(annotations);
  if (values.every((value) => typeof value === 'string')) return annotations;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(annotations);
  const scalars = entries.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(scalars.map(([key, value]) => [key, String(value)]));
}

/**
 * The effective value of an annotation; empty if it is not set. The Pod takes precedence over its Namespace, except that its plain
 * "true" selects the instance named by the Namespace.
 */
export function annotation(
  { podAnnotations, namespaceAnnotations }: Pick<Injection, 'podAnnotations' | 'namespaceAnnotations'>,
  key: string,
): string {
  const own = podAnnotations[key] ?? '';
  const inherited = namespaceAnnotations[key] ?? '';
  if (inherited === '' || own === '') return own || inherited;
  return !isTrue(own) || isFalse(inherited) ? own : inherited;
}
