import type { Container, DeepReadonly } from '../../sdk/index.ts';
import type { ContainerPlan } from './container-plan.ts';
import { type Env, type EnvPlan, RESOURCE_ATTRIBUTES, referencesIn } from './env-plan.ts';
import type { Instrumentation } from './instrumentation.ts';
import type { PodPlan } from './pod-plan.ts';
import {
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
  for (const entry of language.env) addWithReferences(env, entry, language.env, spec.env);
  language.paths?.(env);
  env.lead(NODE_IP);
  env.lead(POD_IP);
  for (const entry of spec.env) env.add(entry);
  language.options?.(env);
  if (!namesService(env)) env.add({ name: 'OTEL_SERVICE_NAME', value: serviceName(app, spec, subject) });
  if (spec.exporter.endpoint !== undefined) {
    env.add({ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: spec.exporter.endpoint });
  }
  if (spec.exporter.tls !== undefined) addTls(spec.exporter.tls, container, work.plan);
  addAttributes(env, app, work);
  if (spec.propagators.length > 0) env.add({ name: 'OTEL_PROPAGATORS', value: spec.propagators.join(',') });
  addSampler(env, spec.sampler);
}

/** An entry of the language may refer to a shared one, which then has to stand before it. */
function addWithReferences(env: EnvPlan, entry: Env, own: readonly Env[], shared: readonly Env[]): void {
  for (const name of referencesIn(entry.value ?? '')) {
    if (name === entry.name || own.some((other) => other.name === name)) continue;
    const needed = shared.find((other) => other.name === name);
    if (needed !== undefined) env.add(needed);
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
  env.add(fieldRef(POD_NAME, 'metadata.name'));
  if (spec.resource.addK8sUIDAttributes) env.add(fieldRef(POD_UID, 'metadata.uid'));
  if (!subject.pod.spec?.nodeName) env.add(fieldRef(NODE_NAME, 'spec.nodeName'));
  const attributes = resourceAttributes(app, spec, subject);
  if (env.get(RESOURCE_ATTRIBUTES)?.valueFrom === undefined) {
    extendAttributes(env, attributes);
    return;
  }
  subject.hints.push(
    `container "${app.name}": ${RESOURCE_ATTRIBUTES} comes by valueFrom and is left as it is, so that telemetry does not say which Pod it is from`,
  );
}

function addSampler(env: EnvPlan, { type, argument }: Instrumentation['spec']['sampler']): void {
  const names = ['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'] as const;
  if (type === undefined || names.some((name) => env.get(name) !== undefined)) return;
  env.add({ name: names[0], value: type });
  if (argument !== undefined) env.add({ name: names[1], value: argument });
}

export function fieldRef(name: string, fieldPath: string): Env {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
