import { withoutShared } from '../../kube/pod-resources.ts';
import type { Container, DeepReadonly } from '../../sdk/index.ts';
import { resourcesRefusal } from './agent-resources.ts';
import { COLLECTOR_INJECT, isFalse, isTrue } from './annotations.ts';
import { COLLECTOR_RESOURCE, type Collector, readCollector } from './collector.ts';
import { collectorPorts, healthProbe } from './collector-config.ts';
import { fieldRef } from './common-env.ts';
import type { ContainerPlan } from './container-plan.ts';
import { COLLECTOR } from './default-container.ts';
import { type EnvPlan, RESOURCE_ATTRIBUTES } from './env-plan.ts';
import { instanceOf } from './find-instrumentation.ts';
import { endlessJob, isOfJob, ownersOf } from './owners.ts';
import type { PodPlan } from './pod-plan.ts';
import {
  extendAttributes,
  NODE_NAME,
  POD_NAME,
  POD_UID,
  setOwner,
  toAttributes,
} from './resource-attributes.ts';
import { annotation, type Subject } from './subject.ts';
import { volumeName } from './tls.ts';

/** Adds a collector beside the application, where an annotation asks for it, and tells whether one does; "false" takes one away. */
export function addCollector(subject: Subject, plan: PodPlan): boolean {
  const value = annotation(subject, COLLECTOR_INJECT);
  if (value === '') return false;
  if (isFalse(value)) {
    plan.removeContainer(COLLECTOR);
    return false;
  }
  const { containers = [], initContainers = [] } = subject.pod.spec ?? {};
  if ([...containers, ...initContainers].some(({ name }) => name === COLLECTOR)) return true;
  const collector = findCollector(value, subject);
  const problem = 'problem' in collector ? collector.problem : addSidecar(collector, subject, plan);
  if (problem !== undefined) subject.problems.push(`no collector is added: ${problem}`);
  return true;
}

type Found = Collector | { readonly problem: string };

function findCollector(value: string, subject: Subject): Found {
  if (isTrue(value)) return onlySidecar(subject);
  const { namespace, name } = instanceOf(value, subject.namespace);
  const object = subject.cluster.get(COLLECTOR_RESOURCE, namespace, name);
  if (object === undefined) {
    return { problem: `there is no OpenTelemetryCollector "${name}" in namespace "${namespace}"` };
  }
  const collector = readCollector(object);
  if ('problem' in collector || collector.spec.mode === 'sidecar') return collector;
  return {
    problem: `OpenTelemetryCollector "${name}" in namespace "${namespace}" has mode ${collector.spec.mode}, expected sidecar`,
  };
}

function onlySidecar({ cluster, namespace }: Subject): Found {
  const sidecars = cluster
    .list(COLLECTOR_RESOURCE, namespace)
    .map(readCollector)
    .filter((found) => 'problem' in found || found.spec.mode === 'sidecar');
  const [sidecar] = sidecars;
  if (sidecar === undefined) {
    return { problem: `there is no OpenTelemetryCollector with mode sidecar in namespace "${namespace}"` };
  }
  if (sidecars.length === 1) return sidecar;
  return {
    problem: `there are ${sidecars.length} OpenTelemetryCollectors with mode sidecar in namespace "${namespace}": set annotation "${COLLECTOR_INJECT}" to the name of one`,
  };
}

/** Returns why it cannot be added, if so. */
function addSidecar(collector: Collector, subject: Subject, plan: PodPlan): string | undefined {
  const { spec } = collector;
  const refusal = resourcesRefusal(spec.resources, subject.pod);
  if (refusal !== undefined) return refusal;
  for (const container of spec.initContainers) plan.initContainer(container.name, () => container);
  const isNative = subject.options.sidecar !== 'container';
  if (!isNative && isOfJob(subject)) subject.hints.push(endlessJob(COLLECTOR));
  const container = isNative
    ? plan.sidecar(asNative(collectorContainer(collector, subject)), 'initContainers')
    : plan.sidecar(collectorContainer(collector, subject), 'containers');
  addEnv(container.env, collector, subject);
  addVolumes(container, collector, plan);
  plan.label('sidecar.opentelemetry.io/injected', labelValue(`${collector.namespace}.${collector.name}`));
  return undefined;
}

function collectorContainer({ spec }: Collector, { options, pod }: Subject): DeepReadonly<Container> {
  const { image, imagePullPolicy, envFrom, resources, securityContext, startupProbe } = spec;
  const probe = healthProbe(spec.config);
  const livenessProbe = spec.livenessProbe ?? probe;
  const readinessProbe = spec.readinessProbe ?? probe;
  const ports = collectorPorts(spec);
  const args = Object.keys(spec.args)
    .sort()
    .map((key) => `--${key}=${spec.args[key]}`);
  return {
    name: COLLECTOR,
    image: image || options.images.collector,
    args: [...args, '--config=env:OTEL_CONFIG'],
    ...(imagePullPolicy && { imagePullPolicy }),
    ...(envFrom.length > 0 && { envFrom }),
    ...(ports.length > 0 && { ports }),
    ...(resources && { resources: withoutShared(resources, pod) }),
    ...(securityContext && { securityContext }),
    ...(livenessProbe && { livenessProbe }),
    ...(readinessProbe && { readinessProbe }),
    ...(startupProbe && { startupProbe }),
  };
}

/** Started before the application and ended after it, so that neither Jobs hang nor telemetry is lost (KEP-753). */
function asNative(container: DeepReadonly<Container>): DeepReadonly<Container> {
  const { startupProbe = container.readinessProbe } = container;
  return { ...container, restartPolicy: 'Always', ...(startupProbe && { startupProbe }) };
}

function addEnv(env: EnvPlan, { spec }: Collector, subject: Subject): void {
  for (const entry of spec.env) env.add(entry);
  env.add(fieldRef('POD_NAME', 'metadata.name'));
  env.add({ name: 'GOMEMLIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } });
  env.add({ name: 'GOMAXPROCS', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } });
  // JSON is YAML.
  const config = typeof spec.config === 'string' ? spec.config : JSON.stringify(spec.config);
  env.add({ name: 'OTEL_CONFIG', value: config });
  if (env.get(RESOURCE_ATTRIBUTES) !== undefined) return;
  env.add(fieldRef(POD_NAME, 'metadata.name'));
  env.add(fieldRef(POD_UID, 'metadata.uid'));
  env.add(fieldRef(NODE_NAME, 'spec.nodeName'));
  const attributes = new Map([
    ['k8s.namespace.name', subject.namespace],
    ['k8s.pod.name', `$(${POD_NAME})`],
    ['k8s.pod.uid', `$(${POD_UID})`],
    ['k8s.node.name', `$(${NODE_NAME})`],
  ]);
  for (const owner of ownersOf(subject)) setOwner(attributes, owner, true);
  extendAttributes(env, toAttributes(attributes));
}

function addVolumes(container: ContainerPlan, { spec }: Collector, plan: PodPlan): void {
  for (const mount of spec.volumeMounts) container.mount(mount);
  for (const volume of spec.volumes) plan.volume(volume);
  for (const { name, mountpath } of spec.configmaps) {
    const volume = volumeName(`configmap-${name}`);
    const mountPath = `/var/conf/${mountpath.replace(/^\/+|\/+$/g, '')}/configmap-${name}`;
    plan.volume({ name: volume, configMap: { name } });
    container.mount({ name: volume, mountPath });
  }
}

/** At most 63 characters, letters and digits at the end. */
function labelValue(text: string): string {
  return text.slice(0, 63).replace(/[^A-Za-z0-9]+$/, '');
}
