import { builtin, type Context, type DeepReadonly, type Pod, type StringMap } from '../../sdk/index.ts';
import { isFalse, isTrue, RESOURCE_PREFIX } from './annotations.ts';
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
  /** The keys of the Pod's annotations that set resource attributes. */
  readonly resourceAnnotations: readonly string[];
  readonly owners: readonly Owner[];
  readonly plan: PodPlan;
  /** Requests that the configuration forbids. They deny the Pod. */
  readonly denials: string[];
  /** Why requested injections are impossible. They deny the Pod under `strict`. */
  readonly problems: string[];
  /** Warnings that never deny the Pod. */
  readonly advice: string[];
}

export interface Language {
  /** Whether the agent works in init containers. */
  readonly supportsInitContainers: boolean;
  /** Prepares what is the same for all Pods. */
  prepare(instrumentation: Instrumentation, options: Options): InjectLanguage;
}

/** Plans a language for containers, or reports problems. */
export type InjectLanguage = (targets: readonly Target[], injection: Injection) => void;

export function startInjection(pod: DeepReadonly<Pod>, context: Context<Options>): Injection {
  const { cluster, config: options } = context;
  const { namespace } = context.request;
  const namespaceObject = cluster.get(NAMESPACE, undefined, namespace);
  const podAnnotations = texts(pod.metadata?.annotations);
  return {
    pod,
    namespace,
    cluster,
    options,
    podAnnotations,
    namespaceAnnotations: texts(namespaceObject?.metadata.annotations),
    resourceAnnotations: keysWithPrefix(podAnnotations, RESOURCE_PREFIX),
    owners: ownersOf(pod, namespace, cluster),
    plan: planPod(pod),
    denials: [],
    problems: [],
    advice: [],
  };
}

function keysWithPrefix(annotations: StringMap, prefix: string): readonly string[] {
  const keys: string[] = [];
  for (const key in annotations) if (key.startsWith(prefix)) keys.push(key);
  return keys;
}

/** Annotations whose values are texts: in a file they may lack quotes, and webhooks run before validation. */
export function texts(annotations: StringMap = {}): StringMap {
  if (areTexts(annotations)) return annotations;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(annotations);
  const scalars = entries.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return Object.fromEntries(scalars.map(([key, value]) => [key, String(value)]));
}

function areTexts(annotations: Readonly<Record<string, unknown>>): boolean {
  for (const key in annotations) if (typeof annotations[key] !== 'string') return false;
  return true;
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
