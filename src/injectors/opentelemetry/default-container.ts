import type { Container, DeepReadonly, Pod } from '../../sdk/index.ts';
import { textOf } from './annotations.ts';
import { attributeOf } from './resource-attributes.ts';

export const GO_AGENT = 'opentelemetry-auto-instrumentation';
export const COLLECTOR = 'otc-container';

/** Proxies and helpers that others put beside an application, sometimes in front of it. */
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
  COLLECTOR,
  GO_AGENT,
]);

/** The container that is meant where none is named. */
export function defaultContainer(pod: DeepReadonly<Pod>): DeepReadonly<Container> | undefined {
  const containers = pod.spec?.containers ?? [];
  const named = textOf(pod.metadata?.annotations ?? {}, 'kubectl.kubernetes.io/default-container');
  return (
    // Somebody may have put another container in front since we chose: the choice stands.
    containers.find(isInstrumented) ??
    containers.find(({ name }) => name === named) ??
    containers.find(({ name }) => !SIDECARS.has(name)) ??
    containers[0]
  );
}

function isInstrumented({ name, env = [] }: DeepReadonly<Container>): boolean {
  return attributeOf(env, 'k8s.container.name') === name && name !== COLLECTOR;
}
