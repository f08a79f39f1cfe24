import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { ResourceRef } from '../../kube/resource.ts';
import type {
  Container,
  ContainerPort,
  DeepReadonly,
  EnvFromSource,
  EnvVar,
  KubeObject,
  Probe,
  ResourceRequirements,
  SecurityContext,
  VolumeMount,
} from '../../sdk/index.ts';
import { oncePer } from '../../sdk/memory.ts';
import type { NamedVolume } from './agent-volume.ts';

export const COLLECTOR_RESOURCE: ResourceRef = {
  group: 'opentelemetry.io',
  version: 'v1beta1',
  kind: 'OpenTelemetryCollector',
  resource: 'opentelemetrycollectors',
  namespaced: true,
};

/** A part of Kubernetes' own vocabulary: the API server checks it when the Pod is stored. */
const part = <T>() => v.custom<DeepReadonly<T>>(isJsonObject, 'expected a map');
const parts = <T>() => v.optional(v.array(part<T>()), []);

/** As much of the resource as a sidecar needs. */
const schema = v.object({
  mode: v.optional(v.string(), 'deployment'),
  image: v.optional(v.string()),
  imagePullPolicy: v.optional(v.picklist(['Always', 'IfNotPresent', 'Never'])),
  args: v.optional(v.record(v.string(), v.string()), {}),
  /** A map, or YAML text as v1alpha1 has it. */
  config: v.optional(v.union([v.string(), v.custom<JsonObject>(isJsonObject, 'expected a map')]), {}),
  env: parts<EnvVar>(),
  envFrom: parts<EnvFromSource>(),
  ports: parts<ContainerPort & { port?: number }>(),
  resources: v.optional(part<ResourceRequirements>()),
  securityContext: v.optional(part<SecurityContext>()),
  livenessProbe: v.optional(part<Probe>()),
  readinessProbe: v.optional(part<Probe>()),
  startupProbe: v.optional(part<Probe>()),
  volumes: v.optional(v.array(v.custom<NamedVolume>(isJsonObject, 'expected a map')), []),
  volumeMounts: parts<VolumeMount>(),
  configmaps: v.optional(v.array(v.object({ name: v.string(), mountpath: v.string() })), []),
  initContainers: parts<Container>(),
});

export interface Collector {
  readonly name: string;
  readonly namespace: string;
  readonly spec: v.InferOutput<typeof schema>;
}

export const readCollector = oncePer((object: KubeObject): Collector | { readonly problem: string } => {
  const { name = '', namespace = '' } = object.metadata;
  const result = v.safeParse(schema, object.spec ?? {});
  if (result.success) return { name, namespace, spec: result.output };
  const [issue] = result.issues;
  return {
    problem: `OpenTelemetryCollector "${name}" cannot be used: spec.${v.getDotPath(issue)}: expected ${issue.expected}, found ${issue.received}`,
  };
});
