import { type Container, type DeepReadonly, type Pod, quoted } from '../../sdk/index.ts';
import { CONTAINER_NAMES, containerNamesKey } from './annotations.ts';
import { attributeOf } from './environment/resource-attributes.ts';
import type { Injection } from './injection.ts';
import type { LanguageRequest } from './language-requests.ts';
import type { Target } from './plan/pod-plan.ts';

export const GO_AGENT = 'opentelemetry-auto-instrumentation';
export const COLLECTOR_CONTAINER = 'otc-container';

/** Containers that other injectors add, sometimes as the first one. */
const SIDECARS: ReadonlySet<string> = new Set([
  'istio-proxy',
  'linkerd-proxy',
  'consul-dataplane',
  'kuma-sidecar',
  'envoy',
  'envoy-sidecar',
  'queue-proxy',
  'daprd',
  'vault-agent',
  'cloud-sql-proxy',
  'filebeat',
  'fluent-bit',
  'jaeger-agent',
  'xray-daemon',
  'datadog-agent',
  COLLECTOR_CONTAINER,
  GO_AGENT,
]);

/** Istio's other init containers. Like a native sidecar, they have a fixed place in the order, so no agent can be copied before them. */
const PLACED_BY_ISTIO: readonly string[] = ['istio-init', 'istio-validation', 'enable-core-dump'];

const MOST_NAMES = 10;

/** The containers of a request: init containers in the Pod's order, then others in the order of the names. */
export function targetsOf(
  { language, containers: names }: LanguageRequest,
  supportsInitContainers: boolean,
  { pod, plan, podAnnotations, problems, advice }: Injection,
): readonly Target[] {
  if (names.length === 0) {
    const container = defaultContainer(pod);
    return container === undefined ? [] : [{ container, list: 'containers' }];
  }
  const requested = new Set(names);
  const targets: Target[] = [];
  for (const container of (supportsInitContainers && pod.spec?.initContainers) || []) {
    const { name } = container;
    if (requested.has(name) && !isPlaced(name)) targets.push({ container, list: 'initContainers' });
  }
  const missing: string[] = [];
  for (const name of requested) {
    const container = plan.existing('containers', name);
    if (container !== undefined) targets.push({ container, list: 'containers' });
    else if (plan.existing('initContainers', name) === undefined) missing.push(name);
    else if (!supportsInitContainers)
      problems.push(
        `cannot inject ${language} into container ${quoted(name)}: init containers are not supported`,
      );
    else if (isPlaced(name))
      problems.push(
        `cannot inject ${language} into container ${quoted(name)}: it starts before the agent can be copied`,
      );
  }
  if (missing.length === 0) return targets;
  // A Namespace may list the containers of all its Pods, each of which has some of them.
  const isNamespaceList = [CONTAINER_NAMES, containerNamesKey(language)].every((key) => !podAnnotations[key]);
  (isNamespaceList && targets.length > 0 ? advice : problems).push(...notFound(language, missing));
  return targets;
}

function isPlaced(name: string): boolean {
  return SIDECARS.has(name) || PLACED_BY_ISTIO.includes(name);
}

/** A message for each of the first names only: an annotation can list tens of thousands. */
function notFound(language: string, names: readonly string[]): readonly string[] {
  const messages = names
    .slice(0, MOST_NAMES)
    .map((name) => `cannot inject ${language} into container ${quoted(name)}: container not found`);
  const more = names.length - messages.length;
  return more > 0
    ? [...messages, `cannot inject ${language} into ${more} more containers: not found`]
    : messages;
}

function defaultContainer(pod: DeepReadonly<Pod>): DeepReadonly<Container> | undefined {
  const containers = pod.spec?.containers ?? [];
  const annotated = pod.metadata?.annotations?.['kubectl.kubernetes.io/default-container'];
  return (
    // The choice of an earlier call, after which another webhook may have added a container in front.
    containers.find(isInstrumented) ??
    containers.find(({ name }) => name === annotated) ??
    containers.find(({ name }) => !SIDECARS.has(name)) ??
    containers[0]
  );
}

function isInstrumented({ name, env }: DeepReadonly<Container>): boolean {
  return attributeOf(env ?? [], 'k8s.container.name') === name && name !== COLLECTOR_CONTAINER;
}
