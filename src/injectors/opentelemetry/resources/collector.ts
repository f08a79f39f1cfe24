import * as v from 'valibot';
import {
  type Container,
  type ContainerPort,
  type DeepReadonly,
  type EnvFromSource,
  type EnvVar,
  isJsonObject,
  type JsonObject,
  type Lifecycle,
  type Probe,
  type ResourceRequirements,
  type SecurityContext,
  type VolumeMount,
} from '../../../sdk/index.ts';
import type { NamedVolume } from '../plan/pod-plan.ts';
import {
  ANY_MAP,
  imagePullPolicy,
  kubernetesType,
  operatorResource,
  REQUIRED_TEXT,
  RESOURCE_REQUIREMENTS,
  type Resource,
  requiredText,
  resourceParser,
  typeWith,
  withOpenApi,
} from './schema.ts';

export const COLLECTOR = operatorResource('v1beta1', 'OpenTelemetryCollector');

const MODE = { enum: ['daemonset', 'deployment', 'sidecar', 'statefulset'], default: 'deployment' };
const ENV_VAR: JsonObject = {
  type: 'object',
  properties: { name: REQUIRED_TEXT, value: { type: 'string' }, valueFrom: ANY_MAP },
  required: ['name'],
};

const listOf = <T>(item?: JsonObject) => v.optional(v.array(kubernetesType<DeepReadonly<T>>(item)), []);
/** A list of maps that need these members. */
const listWith = <T>(members: readonly string[], item?: JsonObject) =>
  v.optional(v.array(typeWith<T>(members, item)), []);
const probe = v.optional(kubernetesType<DeepReadonly<Partial<Probe>>>());

/** The fields that a sidecar uses. */
export const collectorSpec = withOpenApi(
  v.object({
    mode: v.optional(withOpenApi(v.string(), MODE), MODE.default),
    image: v.optional(v.string()),
    imagePullPolicy,
    command: v.optional(v.array(v.string()), []),
    args: v.optional(v.record(v.string(), v.string()), {}),
    /** A map, or YAML text as in v1alpha1. */
    config: v.optional(withOpenApi(v.union([v.string(), v.custom<JsonObject>(isJsonObject)]), ANY_MAP), {}),
    env: listWith<DeepReadonly<EnvVar>>(['name'], ENV_VAR),
    envFrom: listOf<EnvFromSource>(),
    ports: listOf<ContainerPort & { port?: number }>(),
    resources: v.optional(kubernetesType<DeepReadonly<ResourceRequirements>>(RESOURCE_REQUIREMENTS)),
    securityContext: v.optional(kubernetesType<DeepReadonly<SecurityContext>>()),
    livenessProbe: probe,
    readinessProbe: probe,
    startupProbe: probe,
    lifecycle: v.optional(kubernetesType<DeepReadonly<Lifecycle>>()),
    volumes: listWith<NamedVolume>(['name']),
    volumeMounts: listWith<DeepReadonly<VolumeMount>>(['name', 'mountPath']),
    configmaps: v.optional(v.array(v.object({ name: requiredText, mountpath: v.string() })), []),
    initContainers: listWith<DeepReadonly<Container>>(['name']),
  }),
  // Other modes have many more fields.
  { required: ['config'], 'x-kubernetes-preserve-unknown-fields': true },
);

export type Collector = Resource<v.InferOutput<typeof collectorSpec>>;

export const parseCollector = resourceParser(COLLECTOR, collectorSpec);
