import type { JsonObject } from '../../json/json.ts';
import type { ResourceRef } from '../../kube/resource.ts';
import { COLLECTOR_RESOURCE } from './collector.ts';
import { CONFIG_PATH, INSTRUMENTATION, PROPAGATORS, SAMPLERS } from './instrumentation.ts';

/** The definitions of the resources that the injector reads, for clusters without the operator. */
export function customResourceDefinitions(): readonly JsonObject[] {
  return [
    definition(INSTRUMENTATION, ['otelinst', 'otelinsts'], instrumentationSpec(), [
      column('Age', 'date', '.metadata.creationTimestamp'),
      column('Endpoint', 'string', '.spec.exporter.endpoint'),
      column('Sampler', 'string', '.spec.sampler.type'),
      column('Sampler Arg', 'string', '.spec.sampler.argument'),
    ]),
    definition(COLLECTOR_RESOURCE, ['otelcol', 'otelcols'], collectorSpec(), [
      column('Mode', 'string', '.spec.mode'),
      column('Age', 'date', '.metadata.creationTimestamp'),
    ]),
  ];
}

type Schema = JsonObject;

function definition(
  { group, version, kind, resource, namespaced }: ResourceRef,
  shortNames: readonly string[],
  spec: Schema,
  additionalPrinterColumns: readonly JsonObject[],
): JsonObject {
  const schema = object(
    { apiVersion: text, kind: text, metadata: { type: 'object' }, spec, status: anything },
    { description: `${kind}: read when a Pod is created.` },
  );
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${resource}.${group}` },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural: resource, singular: kind.toLowerCase(), shortNames },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
          additionalPrinterColumns,
        },
      ],
    },
  };
}

function instrumentationSpec(): Schema {
  const agent = {
    image: text,
    env,
    volumeClaimTemplate: anything,
    volumeLimitSize: quantity,
    resourceRequirements: resources,
  };
  const { resourceRequirements, ...javaAgent } = agent;
  const path = { ...text, maxLength: 256, pattern: CONFIG_PATH };
  const extension = object({ image: text, dir: text }, { required: ['dir', 'image'] });
  const tls = object({
    secretName: text,
    configMapName: text,
    ca_file: text,
    cert_file: text,
    key_file: text,
  });
  return object({
    exporter: object({ endpoint: text, tls }),
    resource: object({ resourceAttributes: mapOf(text), addK8sUIDAttributes: boolean }),
    propagators: list({ ...text, enum: PROPAGATORS }),
    sampler: object({ type: { ...text, enum: SAMPLERS }, argument: text }),
    defaults: object({ useLabelsForResourceAttributes: boolean }),
    env,
    imagePullPolicy: { ...text, enum: ['Always', 'IfNotPresent', 'Never'] },
    initContainerSecurityContext: anything,
    java: oneVolume({ ...javaAgent, resources: resourceRequirements, extensions: list(extension) }),
    nodejs: oneVolume(agent),
    python: oneVolume(agent),
    dotnet: oneVolume(agent),
    go: oneVolume({ ...agent, securityContext: anything }),
    apacheHttpd: oneVolume({
      ...agent,
      attrs: env,
      version: text,
      configPath: path,
    }),
    nginx: oneVolume({ ...agent, attrs: env, configFile: path }),
  });
}

function collectorSpec(): Schema {
  return object(
    {
      mode: { ...text, enum: ['daemonset', 'deployment', 'sidecar', 'statefulset'], default: 'deployment' },
      image: text,
      imagePullPolicy: { ...text, enum: ['Always', 'IfNotPresent', 'Never'] },
      args: mapOf(text),
      config: anything,
      configmaps: list(object({ name: text, mountpath: text }, { required: ['mountpath', 'name'] })),
      env,
      envFrom: list(anything),
      ports: list(anything),
      resources,
      securityContext: anything,
      livenessProbe: anything,
      readinessProbe: anything,
      startupProbe: anything,
      volumes: list(anything),
      volumeMounts: list(anything),
      initContainers: list(anything),
    },
    // The resource says much more where its mode is another one.
    { required: ['config'], 'x-kubernetes-preserve-unknown-fields': true },
  );
}

const text: Schema = { type: 'string' };
const boolean: Schema = { type: 'boolean' };
/** A part of Kubernetes' own vocabulary: the API server checks it when the Pod is stored. */
const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const quantity: Schema = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};
const env = list(object({ name: text, value: text, valueFrom: anything }, { required: ['name'] }));
const resources = object({ limits: mapOf(quantity), requests: mapOf(quantity), claims: list(anything) });

/** Either kind of volume, not both. */
function oneVolume(properties: { readonly [key: string]: Schema }): Schema {
  const rule = '!(has(self.volumeClaimTemplate) && has(self.volumeLimitSize))';
  const message = 'volumeClaimTemplate and volumeLimitSize exclude each other';
  return object(properties, { 'x-kubernetes-validations': [{ rule, message }] });
}

function object(properties: { readonly [key: string]: Schema }, more: Schema = {}): Schema {
  return { type: 'object', properties, ...more };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}

function mapOf(additionalProperties: Schema): Schema {
  return { type: 'object', additionalProperties };
}

function column(name: string, type: string, jsonPath: string): JsonObject {
  return { name, type, jsonPath };
}
