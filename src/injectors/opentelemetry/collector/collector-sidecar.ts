import {
  type Container,
  type DeepReadonly,
  isObjectName,
  type JsonObject,
  quoted,
  shortened,
  withoutShared,
} from '../../../sdk/index.ts';
import { COLLECTOR_INJECT, instanceOf, isFalse, isTrue } from '../annotations.ts';
import { collectorViolation, namespaceViolation } from '../guardrails.ts';
import { annotation, type Injection } from '../injection.ts';
import { resourcesProblem } from '../languages/agent-resources.ts';
import { labelFrom } from '../object-name.ts';
import { endlessJobWarning, isOwnedByJob } from '../owners.ts';
import type { ContainerPlan, PodPlan } from '../plan/pod-plan.ts';
import { COLLECTOR, type Collector, parseCollector } from '../resources/collector.ts';
import type { Invalid } from '../resources/schema.ts';
import { COLLECTOR_CONTAINER } from '../targets.ts';
import { addCollectorEnv, CONFIG } from './collector-env.ts';
import { collectorPorts, declaredPorts } from './collector-ports.ts';
import { collectorProbes } from './collector-probes.ts';
import { withDefaults } from './default-config.ts';

/** Plans a collector as a sidecar. Returns whether an annotation requests one; "false" removes an existing one. */
export function addCollector(injection: Injection): boolean {
  const { plan, pod, problems, denials } = injection;
  const value = annotation(injection, COLLECTOR_INJECT);
  if (value === '') return false;
  if (isFalse(value)) {
    plan.removeContainer(COLLECTOR_CONTAINER);
    return false;
  }
  const isCollector = ({ name }: DeepReadonly<Container>) => name === COLLECTOR_CONTAINER;
  if (pod.spec?.initContainers?.some(isCollector)) return true;
  if (pod.spec?.containers?.some(isCollector)) {
    warnAboutJob(injection);
    return true;
  }
  const found = findCollector(value, injection);
  const collector = 'spec' in found ? checked(found, injection) : found;
  if ('violation' in collector) denials.push(`cannot add a collector: ${collector.violation}`);
  else if ('problem' in collector) problems.push(`cannot add a collector: ${collector.problem}`);
  else addSidecar(collector, injection);
  return true;
}

type Forbidden = { readonly violation: string };

/** Rejects a collector that the configuration forbids, or that would make the Pod invalid. */
function checked(collector: Collector, { pod, options }: Injection): Collector | Invalid | Forbidden {
  const { resources, configmaps } = collector.spec;
  const violation = collectorViolation(collector, options);
  if (violation !== undefined) return { violation };
  const impossible = configmaps.find(({ name }) => !isObjectName(name));
  if (impossible !== undefined)
    return { problem: `it names ConfigMap ${quoted(impossible.name)}, expected the name of an object` };
  const problem = resourcesProblem(resources, pod);
  return problem === undefined ? collector : { problem };
}

function findCollector(value: string, injection: Injection): Collector | Invalid | Forbidden {
  if (isTrue(value)) return onlySidecar(injection);
  const { namespace, name } = instanceOf(value, injection.namespace);
  const violation = namespaceViolation(namespace, injection.namespace, injection.options);
  if (violation !== undefined) return { violation };
  const object = injection.cluster.get(COLLECTOR, namespace, name);
  if (object === undefined) {
    return { problem: `OpenTelemetryCollector ${quoted(name)} not found in namespace ${quoted(namespace)}` };
  }
  const collector = parseCollector(object);
  if ('problem' in collector || collector.spec.mode === 'sidecar') return collector;
  return {
    problem: `OpenTelemetryCollector "${name}" in namespace "${namespace}": expected mode sidecar, found ${shortened(collector.spec.mode)}`,
  };
}

function onlySidecar({ cluster, namespace }: Injection): Collector | Invalid {
  const collectors = cluster.list(COLLECTOR, namespace).map(parseCollector);
  const sidecars = collectors.filter((found) => 'problem' in found || found.spec.mode === 'sidecar');
  const [sidecar] = sidecars;
  if (sidecar !== undefined && sidecars.length === 1) return sidecar;
  const problem =
    sidecars.length === 0
      ? `no OpenTelemetryCollector with mode sidecar in namespace "${namespace}"`
      : `expected one OpenTelemetryCollector with mode sidecar in namespace "${namespace}", found ${sidecars.length}: set annotation "${COLLECTOR_INJECT}" to the name of one`;
  return { problem };
}

function addSidecar(collector: Collector, injection: Injection): void {
  const { plan, options } = injection;
  const { spec } = collector;
  for (const container of spec.initContainers) plan.initContainer(container);
  const isNative = options.sidecar !== 'container';
  if (!isNative) warnAboutJob(injection);
  const config = typeof spec.config === 'string' ? spec.config : withDefaults(spec.config);
  const sidecar = collectorContainer(collector, config, injection);
  const container = isNative
    ? plan.container({ ...sidecar, restartPolicy: 'Always' }, 'initContainers')
    : plan.container(sidecar, 'containers');
  addCollectorEnv(container.env, spec, config, injection);
  addVolumes(container, collector, plan);
  plan.label('sidecar.opentelemetry.io/injected', labelOf(collector));
}

function warnAboutJob({ owners, advice }: Injection): void {
  if (isOwnedByJob(owners)) advice.push(endlessJobWarning(COLLECTOR_CONTAINER));
}

/** A native sidecar starts before the application and stops after it: Jobs finish, and no telemetry is lost (KEP-753). */
function collectorContainer(
  { spec }: Collector,
  config: string | JsonObject,
  { options, pod }: Injection,
): DeepReadonly<Container> {
  const { imagePullPolicy, command, envFrom, resources, securityContext, lifecycle } = spec;
  // Text is passed on as it is.
  const isText = typeof config === 'string';
  const ports = isText ? declaredPorts(spec.ports) : collectorPorts(config, spec.ports);
  const args = Object.entries(spec.args).map(([key, value]) => `--${key}=${value}`);
  return {
    name: COLLECTOR_CONTAINER,
    image: spec.image || options.images.collector,
    ...(command.length > 0 && { command }),
    args: [...args.sort(), `--config=env:${CONFIG}`],
    ...(imagePullPolicy && { imagePullPolicy }),
    ...(envFrom.length > 0 && { envFrom }),
    ...(ports.length > 0 && { ports }),
    ...(resources && { resources: withoutShared(resources, pod) }),
    ...(securityContext && { securityContext }),
    ...(lifecycle && { lifecycle }),
    ...(!isText && collectorProbes(config, spec)),
  };
}

function addVolumes(container: ContainerPlan, { spec }: Collector, plan: PodPlan): void {
  for (const mount of spec.volumeMounts) container.mount(mount);
  for (const volume of spec.volumes) plan.volume(volume);
  for (const { name, mountpath } of spec.configmaps) {
    const volume = labelFrom(`configmap-${name}`);
    plan.volume({ name: volume, configMap: { name } });
    container.mount({ name: volume, mountPath: joinPath('/var/conf', mountpath, volume) });
  }
}

/** Joins and cleans a path: `..` never leaves the root. */
function joinPath(...paths: readonly string[]): string {
  const parts: string[] = [];
  for (const part of paths.join('/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}

/** A label's value has at most 63 characters; the namespace is cut first. */
function labelOf({ namespace, name }: Collector): string {
  const kept = namespace.slice(0, Math.max(0, 62 - name.length));
  const text = `${kept}.${name.slice(0, 62)}`;
  return text.replace(/^[^A-Za-z0-9]+/, '').replace(/[^A-Za-z0-9]{1,63}$/, '');
}
