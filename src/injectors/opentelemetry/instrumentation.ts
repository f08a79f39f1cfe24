import * as v from 'valibot';
import { isJsonObject } from '../../json/json.ts';
import { stable } from '../../json/stable.ts';
import { isQuantity } from '../../kube/quantity.ts';
import type { ResourceRef } from '../../kube/resource.ts';
import type {
  EnvVarSource,
  KubeObject,
  Overlay,
  PersistentVolumeClaimTemplate,
  ResourceRequirements,
  SecurityContext,
} from '../../sdk/index.ts';
import { oncePer } from '../../sdk/memory.ts';

export const INSTRUMENTATION: ResourceRef = {
  group: 'opentelemetry.io',
  version: 'v1alpha1',
  kind: 'Instrumentation',
  resource: 'instrumentations',
  namespaced: true,
};

export const PROPAGATORS = [
  'tracecontext',
  'baggage',
  'b3',
  'b3multi',
  'jaeger',
  'xray',
  'ottrace',
  'none',
] as const;

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'parentbased_jaeger_remote',
  'jaeger_remote',
  'xray',
] as const;

/** These paths end up in shell scripts and in the web server's own configuration. */
export const CONFIG_PATH = '^[A-Za-z0-9._/-]*$';

/** A part of Kubernetes' own vocabulary: the API server checks it when the Pod is stored. */
const part = <T>() => v.custom<T>(isJsonObject, 'expected a map');
const quantity = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(String),
  v.check(isQuantity, 'expected a quantity such as 200Mi'),
);
/** An empty one says nothing. */
const pathOr = (fallback: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.maxLength(256),
      v.regex(new RegExp(CONFIG_PATH)),
      v.transform((path) => path || fallback),
    ),
    fallback,
  );

/** `strict` refuses unknown keys, as a configuration should; a resource may come from a newer CRD than ours. */
function specSchema(strict: boolean) {
  // Both read the same keys to the same type; they differ in what they do about others.
  const object = (strict ? v.strictObject : v.object) as typeof v.object;
  const env = v.optional(
    v.array(
      object({
        name: v.string(),
        value: v.exactOptional(v.string()),
        valueFrom: v.exactOptional(part<EnvVarSource>()),
      }),
    ),
    [],
  );
  const agent = {
    image: v.optional(v.string()),
    env,
    volumeClaimTemplate: v.optional(part<Overlay<PersistentVolumeClaimTemplate>>()),
    volumeLimitSize: v.optional(quantity),
  };
  const resources = v.optional(part<ResourceRequirements>());
  const others = { ...agent, resourceRequirements: resources };
  const extension = object({ image: v.string(), dir: v.string() });
  const tls = object({
    secretName: v.optional(v.string()),
    configMapName: v.optional(v.string()),
    ca_file: v.optional(v.string()),
    cert_file: v.optional(v.string()),
    key_file: v.optional(v.string()),
  });
  return object({
    exporter: v.optional(object({ endpoint: v.optional(v.string()), tls: v.optional(tls) }), {}),
    resource: v.optional(
      object({
        resourceAttributes: v.optional(v.record(v.string(), v.string()), {}),
        addK8sUIDAttributes: v.optional(v.boolean(), false),
      }),
      {},
    ),
    propagators: v.optional(v.array(v.picklist(PROPAGATORS)), []),
    sampler: v.optional(
      object({ type: v.optional(v.picklist(SAMPLERS)), argument: v.optional(v.string()) }),
      {},
    ),
    defaults: v.optional(object({ useLabelsForResourceAttributes: v.optional(v.boolean(), false) }), {}),
    env,
    imagePullPolicy: v.optional(v.picklist(['Always', 'IfNotPresent', 'Never'])),
    initContainerSecurityContext: v.optional(part<SecurityContext>()),
    java: v.optional(object({ ...agent, resources, extensions: v.optional(v.array(extension), []) }), {}),
    nodejs: v.optional(object(others), {}),
    python: v.optional(object(others), {}),
    dotnet: v.optional(object(others), {}),
    go: v.optional(object({ ...others, securityContext: v.optional(part<SecurityContext>()) }), {}),
    apacheHttpd: v.optional(
      object({
        ...others,
        attrs: env,
        version: v.optional(v.string(), '2.4'),
        configPath: pathOr('/usr/local/apache2/conf'),
      }),
      {},
    ),
    nginx: v.optional(object({ ...others, attrs: env, configFile: pathOr('/etc/nginx/nginx.conf') }), {}),
  });
}

export const configuredSpec = specSchema(true);
const storedSpec = specSchema(false);

export type InstrumentationSpec = v.InferOutput<typeof storedSpec>;

export interface Instrumentation {
  readonly name: string;
  readonly spec: InstrumentationSpec;
}

/** What a resource says, with the defaults that the operator's own webhook would have written into it. */
export const readInstrumentation = oncePer(parse);

function parse(object: KubeObject): Instrumentation | { readonly problem: string } {
  const { name = '' } = object.metadata;
  const result = v.safeParse(storedSpec, object.spec ?? {});
  if (result.success) return { name, spec: stable(result.output) };
  const [issue] = result.issues;
  return {
    problem: `Instrumentation "${name}" cannot be used: spec.${v.getDotPath(issue)}: expected ${issue.expected}, found ${issue.received}`,
  };
}
