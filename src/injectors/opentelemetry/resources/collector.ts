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

/** A list of maps that need these members. */
const listWith = <T>(definition: string, members: readonly string[], item?: JsonObject) =>
  v.optional(v.array(typeWith<T>(definition, members, item)), []);
const probe = v.optional(kubernetesType<DeepReadonly<Partial<Probe>>>('Probe'));
/** The port of a Service, with some fields of a container's. */
const port = v.pipe(
  kubernetesType<DeepReadonly<ContainerPort & { port?: number }>>('ContainerPort'),
  kubernetesType<DeepReadonly<ContainerPort & { port?: number }>>('ServicePort'),
);

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
    env: listWith<DeepReadonly<EnvVar>>('EnvVar', ['name'], ENV_VAR),
    envFrom: v.optional(v.array(kubernetesType<DeepReadonly<EnvFromSource>>('EnvFromSource')), []),
    ports: v.optional(v.array(withOpenApi(port, ANY_MAP)), []),
    resources: v.optional(
      kubernetesType<DeepReadonly<ResourceRequirements>>('ResourceRequirements', RESOURCE_REQUIREMENTS),
    ),
    securityContext: v.optional(kubernetesType<DeepReadonly<SecurityContext>>('SecurityContext')),
    livenessProbe: probe,
    readinessProbe: probe,
    startupProbe: probe,
    lifecycle: v.optional(kubernetesType<DeepReadonly<Lifecycle>>('Lifecycle')),
    volumes: listWith<NamedVolume>('Volume', ['name']),
    volumeMounts: listWith<DeepReadonly<VolumeMount>>('VolumeMount', ['name', 'mountPath']),
    configmaps: v.optional(v.array(v.object({ name: requiredText, mountpath: v.string() })), []),
    initContainers: listWith<DeepReadonly<Container>>('Container', ['name']),
  }),
  // Other modes have many more fields.
  { required: ['config'], 'x-kubernetes-preserve-unknown-fields': true },
);

export type Collector = Resource<v.InferOutput<typeof collectorSpec>>;

export const parseCollector = resourceParser(COLLECTOR, collectorSpec);
