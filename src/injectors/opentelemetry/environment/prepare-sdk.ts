import { at, type Container, type DeepReadonly, quoted, type VolumeMount } from '../../../sdk/index.ts';
import type { Injection } from '../injection.ts';
import { lastOf } from '../plan/by-name.ts';
import { type Env, type EnvExtension, type EnvPlan, RESOURCE_ATTRIBUTES } from '../plan/env-plan.ts';
import type { ContainerPlan } from '../plan/pod-plan.ts';
import type { InstrumentationSpec } from '../resources/instrumentation.ts';
import { afterReferences } from './after-references.ts';
import {
  type Attributes,
  attributeIn,
  attributesIn,
  extendAttributes,
  fieldRef,
  NODE_NAME,
  POD_NAME,
  POD_UID,
  type PodAttributes,
  podAttributes,
  prepareAttributes,
  serviceName,
} from './resource-attributes.ts';
import { tlsEnv, tlsMounts } from './tls.ts';

export const POD_IP = fieldRef('OTEL_POD_IP', 'status.podIP');
export const NODE_IP = fieldRef('OTEL_NODE_IP', 'status.hostIP');
const LEADING = [NODE_IP, POD_IP].map((entry) => at('first', entry));

/** The variables of a language, in their order. */
interface LanguageEnv {
  readonly env: readonly Env[];
  readonly paths?: readonly EnvExtension[];
  /** Variables after the `env` that the Instrumentation has for all languages. */
  readonly options?: readonly (Env | EnvExtension)[];
}

/** The configuration of an SDK for any container. */
export interface SdkConfiguration {
  /** The mounts that it adds. */
  readonly mounts: readonly DeepReadonly<VolumeMount>[];
  /** The name of the service that a container is. */
  serviceName(app: DeepReadonly<Container>, injection: Injection): string;
  /** Prepares what the containers of a Pod share. */
  start(injection: Injection): Configure;
}

/** `app` is the container that emits the telemetry, which differs from the configured one for Go. */
export type Configure = (container: ContainerPlan, app: DeepReadonly<Container>) => void;

/** Prepares what is the same for all containers. The order of the entries matters: a value can refer only to preceding ones. */
export function prepareSdk(
  spec: InstrumentationSpec,
  { env: own, paths = [], options = [] }: LanguageEnv,
): SdkConfiguration {
  const variables = [...afterReferences(own, spec.env), ...paths, ...LEADING, ...spec.env, ...options];
  const { tls } = spec.exporter;
  const exporter = exporterEnv(spec);
  const mounts = tls === undefined ? [] : tlsMounts(tls);
  const propagators = spec.propagators.join(',');
  const trailing = propagators === '' ? [] : [{ name: 'OTEL_PROPAGATORS', value: propagators }];
  const sampler = samplerEnv(spec);
  const prepared = prepareAttributes(spec);
  return {
    mounts: mounts.map(({ mount }) => mount),
    serviceName: (app, injection) => {
      const attributes = podAttributes(spec, prepared, injection);
      return serviceName(attributes, spec, injection) ?? app.name;
    },
    start: (injection) => {
      const attributes = podAttributes(spec, prepared, injection);
      const service = serviceName(attributes, spec, injection);
      return (container, app) => configure(container, app, attributes, service ?? app.name, injection);
    },
  };

  function configure(
    container: ContainerPlan,
    app: DeepReadonly<Container>,
    attributes: PodAttributes,
    service: string,
    injection: Injection,
  ): void {
    const { env } = container;
    for (const entry of variables) env.add(entry, app.name);
    const own = attributes.of(app);
    const planned = env.get(RESOURCE_ATTRIBUTES)?.value ?? '';
    const plannedAttribute = (key: string) =>
      planned === own.text ? attributes.get(key) : attributeIn(planned, key);
    // The variable would override a name that the user sets as an attribute.
    if (plannedAttribute('service.name') === undefined) {
      env.add({ name: 'OTEL_SERVICE_NAME', value: service });
    }
    for (const entry of exporter) env.add(entry);
    for (const { volume, mount } of mounts) {
      injection.plan.volume(volume);
      container.mount(mount);
    }
    env.add(POD_NAME);
    if (spec.resource.addK8sUIDAttributes) {
      const uid = plannedAttribute('k8s.pod.uid') ?? attributes.get('k8s.pod.uid');
      if (uid?.includes(POD_UID.name)) env.add(POD_UID);
    }
    if (!injection.pod.spec?.nodeName) env.add(NODE_NAME);
    addAttributes(env, app, own, injection);
    for (const entry of trailing) env.add(entry);
    // A part of a sampler that the user sets is not combined with the Instrumentation's.
    if (SAMPLER_NAMES.every((name) => env.get(name) === undefined)) {
      for (const entry of sampler) env.add(entry);
    }
  }
}

function exporterEnv({ exporter: { endpoint, tls } }: InstrumentationSpec): readonly Env[] {
  const env = endpoint ? [{ name: 'OTEL_EXPORTER_OTLP_ENDPOINT', value: endpoint }] : [];
  return tls === undefined ? env : [...env, ...tlsEnv(tls)];
}

const SAMPLER_NAMES = ['OTEL_TRACES_SAMPLER', 'OTEL_TRACES_SAMPLER_ARG'] as const;

function samplerEnv({ sampler: { type, argument } }: InstrumentationSpec): readonly Env[] {
  if (type === undefined) return [];
  const [typeName, argumentName] = SAMPLER_NAMES;
  const env = { name: typeName, value: type };
  return argument ? [env, { name: argumentName, value: argument }] : [env];
}

function addAttributes(
  env: EnvPlan,
  app: DeepReadonly<Container>,
  attributes: Attributes,
  injection: Injection,
): void {
  const entry = env.get(RESOURCE_ATTRIBUTES);
  if (entry?.valueFrom === undefined) {
    const own = lastOf(app.env ?? [], RESOURCE_ATTRIBUTES);
    // Go's agent does not get those that the application sets itself, as with the operator.
    const areOthers = own !== undefined && own.value !== entry?.value;
    extendAttributes(env, attributes, areOthers ? attributesIn([own]) : undefined);
    return;
  }
  injection.advice.push(
    `container ${quoted(app.name)}: ${RESOURCE_ATTRIBUTES} is set through valueFrom and cannot be extended, so its telemetry does not identify the Pod`,
  );
}
