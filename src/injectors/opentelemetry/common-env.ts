import { stable } from '../../json/stable.ts';
import type { Container, DeepReadonly } from '../../sdk/index.ts';
import type { ContainerPlan } from './container-plan.ts';
import { type Env, type EnvPlan, RESOURCE_ATTRIBUTES, referencesIn } from './env-plan.ts';
import type { Instrumentation } from './instrumentation.ts';
import type { PodPlan } from './pod-plan.ts';
import { preparedFor } from './prepared.ts';
import {
  type Attributes,
  attributeOf,
  extendAttributes,
  NODE_NAME,
  POD_NAME,
  POD_UID,
  resourceAttributes,
  serviceName,
} from './resource-attributes.ts';
import type { Subject } from './subject.ts';
import { addTls } from './tls.ts';

const POD_IP = fieldRef('OTEL_POD_IP', 'status.podIP');
const NODE_IP = fieldRef('OTEL_NODE_IP', 'status.hostIP');
const POD_NAME_ENV = fieldRef(POD_NAME, 'metadata.name');
const POD_UID_ENV = fieldRef(POD_UID, 'metadata.uid');
const NODE_NAME_ENV = fieldRef(NODE_NAME, 'spec.nodeName');

/** What a language has to say about the environment of its containers, and when. */
export interface LanguageEnv {
  readonly env: readonly Env[];
  /** Right after the language's own entries. */
  paths?(env: EnvPlan): void;
  /** After the entries that all languages share. */
  options?(env: EnvPlan): void;
}

export interface Work {
  readonly subject: Subject;
  readonly plan: PodPlan;
  readonly instrumentation: Instrumentation;
}

/**
 * Configures the SDK of one container. The order of the entries is part of the contract: a value may refer only to what stands
 * before it. `app` is the container whose telemetry it is, which for Go is another one.
 */
export function configureSdk(
  container: ContainerPlan,
  app: DeepReadonly<Container>,
  work: Work,
  language: LanguageEnv,
): void {
  const { env } = container;
  const { subject, instrumentation } = work;
  const { spec } = instrumentation;
  const { endpoint, propagators, sampler } = preparedFor(spec);
  for (const entry of language.env) addWithReferences(env, entry, language.env, spec.env);
  language.paths?.(env);
  env.lead(NODE_IP);
  env.lead(POD_IP);
  for (const entry of spec.env) env.add(entry);
  language.options?.(env);
  if (!namesService(env)) env.add({ name: 'OTEL_SERVICE_NAME', value: serviceName(app, spec, subject) });
  if (endpoint !== undefined) env.add(endpoint);
  if (spec.exporter.tls !== undefined) addTls(spec.exporter.tls, container, work.plan);
  addAttributes(env, app, work);
  if (propagators !== undefined) env.add(propagators);
  if (!SAMPLER_VARIABLES.some((name) => env.get(name) !== undefined)) {
    for (const entry of sampler) env.add(entry);
  }
}

/** An entry of the language may refer to a shared one, which then has to stand before it, after those to which it refers itself. */
function addWithReferences(env: EnvPlan, entry: Env, own: readonly Env[], shared: readonly Env[]): void {
  for (const name of referencesIn(entry.value ?? '')) {
    if (name === entry.name || own.some((other) => other.name === name)) continue;
    const index = shared.findIndex((other) => other.name === name);
    const needed = shared[index];
    if (needed !== undefined) addWithReferences(env, needed, own, shared.slice(0, index));
  }
  env.add(entry);
}

/** A variable for the service's name would outdo what the user says in the attributes. */
function namesService(env: EnvPlan): boolean {
  const attributes = env.get(RESOURCE_ATTRIBUTES);
  return attributes !== undefined && attributeOf([attributes], 'service.name') !== undefined;
}

function addAttributes(env: EnvPlan, app: DeepReadonly<Container>, work: Work): void {
  const { subject, instrumentation } = work;
  const { spec } = instrumentation;
  const attributes = resourceAttributes(app, spec, subject);
  env.add(POD_NAME_ENV);
  if (spec.resource.addK8sUIDAttributes && refersToUid(env, attributes)) env.add(POD_UID_ENV);
  if (!subject.pod.spec?.nodeName) env.add(NODE_NAME_ENV);
  if (env.get(RESOURCE_ATTRIBUTES)?.valueFrom === undefined) {
    extendAttributes(env, attributes);
    return;
  }
  subject.hints.push(
    `container "${app.name}": ${RESOURCE_ATTRIBUTES} comes by valueFrom and is left as it is, so that telemetry does not say which Pod it is from`,
  );
}

/** Not where the user says the UID: in the container, in the Instrumentation or in an annotation. */
function refersToUid(env: EnvPlan, attributes: Attributes): boolean {
  const known = env.get(RESOURCE_ATTRIBUTES);
  const own = known && attributeOf([known], 'k8s.pod.uid');
  const ours = attributes.sorted.find(({ key }) => key === 'k8s.pod.uid')?.text;
  return (own ?? ours)?.includes(POD_UID) ?? false;
}

const SAMPLER_VARIABLES = ['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'];

export function fieldRef(name: string, fieldPath: string): Env {
  return stable({ name, valueFrom: { fieldRef: { fieldPath } } });
}
