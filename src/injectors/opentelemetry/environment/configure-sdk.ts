import type { Container, DeepReadonly, VolumeMount } from '../../../sdk/index.ts';
import type { LanguageInjection } from '../injection.ts';
import { quoted } from '../message.ts';
import {
  type Env,
  type EnvExtension,
  type EnvPlan,
  lastOf,
  RESOURCE_ATTRIBUTES,
  referencesIn,
} from '../plan/env-plan.ts';
import type { ContainerPlan } from '../plan/pod-plan.ts';
import type { Instrumentation } from '../resources/instrumentation.ts';
import {
  attributesIn,
  extendAttributes,
  fieldRef,
  NODE_NAME,
  POD_NAME,
  POD_UID,
  plannedAttributes,
  serviceName,
} from './resource-attributes.ts';
import { addTls, tlsMounts } from './tls.ts';

export const POD_IP = fieldRef('OTEL_POD_IP', 'status.podIP');
export const NODE_IP = fieldRef('OTEL_NODE_IP', 'status.hostIP');
const LEADING = [NODE_IP, POD_IP].map((entry) => ({ ...entry, $at: 'first' as const }));

/** The variables of a language, in their order. */
interface LanguageEnv {
  readonly env: readonly Env[];
  readonly paths?: readonly EnvExtension[];
  /** Variables after the `env` that the Instrumentation has for all languages. */
  readonly options?: readonly (Env | EnvExtension)[];
}

/**
 * Configures the SDK of one container. The order of the entries matters: a value can refer only to preceding ones. `app` is the
 * container that emits the telemetry, which differs from the configured one for Go.
 */
export function configureSdk(
  container: ContainerPlan,
  app: DeepReadonly<Container>,
  injection: LanguageInjection,
  { env: own, paths = [], options = [] }: LanguageEnv,
): void {
  const { env } = container;
  const { spec } = injection.instrumentation;
  addAfterReferences(env, own, spec.env);
  for (const entry of paths) env.add(entry);
  if (container.isConfiguredBy(spec)) {
    for (const entry of options) env.add(entry);
    return;
  }
  container.configureBy(spec);
  for (const entry of LEADING) env.add(entry);
  for (const entry of spec.env) env.add(entry);
  for (const entry of options) env.add(entry);
  const attributes = injection.attributesOf(app);
  // The variable would override a name that the user sets as an attribute.
  const planned = plannedAttributes(env);
  if (!planned.has('service.name')) {
    env.add({ name: 'OTEL_SERVICE_NAME', value: serviceName(app, attributes, spec, injection) });
  }
  const { endpoint, tls } = spec.exporter;
  if (endpoint) env.add({ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: endpoint });
  if (tls !== undefined) addTls(tls, container, injection.plan);
  addAttributes(env, app, attributes, planned, injection);
  if (spec.propagators.length > 0) {
    env.add({ name: 'OTEL_PROPAGATORS', value: spec.propagators.join(',') });
  }
  addSampler(env, spec.sampler);
}

/**
 * A language's entry may refer to shared ones, which then have to precede it, after those that they refer to themselves. Not
 * recursive, because a chain of references can be longer than the stack.
 */
function addAfterReferences(env: EnvPlan, own: readonly Env[], shared: readonly Env[]): void {
  if (own.length === 0) return;
  const ownNames = new Set(own.map(({ name }) => name));
  const positions = new Map<string, number>();
  for (const [index, { name }] of shared.entries()) {
    if (!positions.has(name)) positions.set(name, index);
  }
  const open = own.toReversed().map((entry) => waiting(entry, shared.length));
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    const name = current.references.pop();
    if (name === undefined) {
      env.add(current.entry);
      open.pop();
    } else if (env.get(name) === undefined && !ownNames.has(name)) {
      const position = positions.get(name) ?? shared.length;
      const needed = shared[position];
      // A shared entry can refer only to preceding ones.
      if (needed !== undefined && position < current.before) open.push(waiting(needed, position));
    }
  }
}

/** An entry with the references that are still to be added, the next one last. */
function waiting(entry: Env, before: number) {
  return { entry, before, references: referencesIn(entry.value ?? '').reverse() };
}

/** The mounts that `configureSdk` adds. */
export function sdkMounts({ instrumentation }: LanguageInjection): readonly DeepReadonly<VolumeMount>[] {
  const { tls } = instrumentation.spec.exporter;
  return tls === undefined ? [] : tlsMounts(tls).map(({ mount }) => mount);
}

function addAttributes(
  env: EnvPlan,
  app: DeepReadonly<Container>,
  attributes: ReadonlyMap<string, string>,
  planned: ReadonlyMap<string, string>,
  injection: LanguageInjection,
): void {
  const { spec } = injection.instrumentation;
  env.add(POD_NAME);
  if (spec.resource.addK8sUIDAttributes) {
    const uid = planned.get('k8s.pod.uid') ?? attributes.get('k8s.pod.uid');
    if (uid?.includes(POD_UID.name)) env.add(POD_UID);
  }
  if (!injection.pod.spec?.nodeName) env.add(NODE_NAME);
  const entry = env.get(RESOURCE_ATTRIBUTES);
  if (entry?.valueFrom === undefined) {
    const own = lastOf(app.env ?? [], RESOURCE_ATTRIBUTES);
    // Go's agent does not get those that the application sets itself, as with the operator.
    const areOthers = own !== undefined && own.value !== entry?.value;
    extendAttributes(env, attributes, areOthers ? new Map([...planned, ...attributesIn([own])]) : planned);
    return;
  }
  injection.advice.push(
    `container ${quoted(app.name)}: ${RESOURCE_ATTRIBUTES} is set through valueFrom and cannot be extended, so its telemetry does not identify the Pod`,
  );
}

function addSampler(env: EnvPlan, { type, argument }: Instrumentation['spec']['sampler']): void {
  const names = ['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'] as const;
  if (type === undefined || names.some((name) => env.get(name) !== undefined)) return;
  env.add({ name: names[0], value: type });
  if (argument) env.add({ name: names[1], value: argument });
}
