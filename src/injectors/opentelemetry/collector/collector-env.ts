import type { JsonObject } from '../../../sdk/index.ts';
import {
  attributesFrom,
  extendAttributes,
  fieldRef,
  NODE_NAME,
  POD_NAME,
  POD_UID,
  setOwners,
  sortedByKey,
} from '../environment/resource-attributes.ts';
import type { Injection } from '../injection.ts';
import { type Env, type EnvPlan, RESOURCE_ATTRIBUTES } from '../plan/env-plan.ts';
import type { Collector } from '../resources/collector.ts';
import { COLLECTOR_CONTAINER } from '../targets.ts';
import { enabledComponents } from './components.ts';

export const CONFIG = 'OTEL_CONFIG';
const KUBELET_RECEIVERS: ReadonlySet<string> = new Set(['kubelet_stats', 'kubeletstats']);

/** Plans the environment of a collector, in the operator's order. */
export function addCollectorEnv(
  env: EnvPlan,
  spec: Collector['spec'],
  config: string | JsonObject,
  injection: Injection,
): void {
  for (const entry of spec.env) env.add(entry);
  env.add(fieldRef('POD_NAME', 'metadata.name'));
  env.add(limitRef('GOMEMLIMIT', 'limits.memory'));
  env.add(limitRef('GOMAXPROCS', 'limits.cpu'));
  if (typeof config !== 'string' && readsKubelet(config)) env.add(fieldRef('K8S_NODE_NAME', 'spec.nodeName'));
  // The collector reads YAML, which includes JSON.
  env.add({ name: CONFIG, value: typeof config === 'string' ? config : JSON.stringify(config) });
  if (env.get(RESOURCE_ATTRIBUTES) !== undefined) return;
  for (const entry of [POD_NAME, POD_UID, NODE_NAME]) env.add(entry);
  const attributes = new Map([
    ['k8s.namespace.name', injection.namespace],
    ['k8s.pod.name', `$(${POD_NAME.name})`],
    ['k8s.pod.uid', `$(${POD_UID.name})`],
    ['k8s.node.name', `$(${NODE_NAME.name})`],
  ]);
  const owners = injection.owners.filter(({ kind }) => kind === 'Deployment' || kind === 'ReplicaSet');
  setOwners(attributes, owners, true);
  extendAttributes(env, attributesFrom(sortedByKey(attributes)));
}

function limitRef(name: string, resource: string): Env {
  return { name, valueFrom: { resourceFieldRef: { containerName: COLLECTOR_CONTAINER, resource } } };
}

/** The receiver of the kubelet's statistics has to know its node. */
function readsKubelet(config: JsonObject): boolean {
  return enabledComponents(config).some(
    ({ section, type }) => section === 'receivers' && KUBELET_RECEIVERS.has(type),
  );
}
