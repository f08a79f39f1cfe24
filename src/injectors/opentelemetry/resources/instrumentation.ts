import * as v from 'valibot';
import {
  annotationsOf,
  cacheByObject,
  type EnvVarSource,
  type KubeObject,
  type Overlay,
  type PersistentVolumeClaimTemplate,
  type ResourceRequirements,
  type SecurityContext,
} from '../../../sdk/index.ts';
import { defaultImageKey, LANGUAGES, type LanguageName } from '../annotations.ts';
import {
  type Invalid,
  imagePullPolicy,
  kubernetesType,
  operatorResource,
  quantity,
  RESOURCE_REQUIREMENTS,
  type Resource,
  requiredText,
  resourceParser,
  withOpenApi,
} from './schema.ts';

export const INSTRUMENTATION = operatorResource('v1alpha1', 'Instrumentation');

const propagator = v.picklist([
  'tracecontext',
  'baggage',
  'b3',
  'b3multi',
  'jaeger',
  'xray',
  'ottrace',
  'none',
]);
const samplerType = v.picklist([
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'parentbased_jaeger_remote',
  'jaeger_remote',
  'xray',
]);

const text = v.optional(v.string());
const flag = v.optional(v.boolean(), false);
const securityContext = v.optional(kubernetesType<SecurityContext>('SecurityContext'));
const resources = v.optional(
  kubernetesType<ResourceRequirements>('ResourceRequirements', RESOURCE_REQUIREMENTS),
);

/** The pattern keeps shell scripts and web server configurations safe, which contain the path. */
function pathOr(fallback: string) {
  const pattern = /^[A-Za-z0-9._/-]*$/;
  const orFallback = v.transform((path: string) => path || fallback);
  return v.optional(v.pipe(v.string(), v.maxLength(256), v.regex(pattern), orFallback), fallback);
}

/** `strict` rejects unknown keys, for specs in the configuration. A resource may come from a newer CRD. */
function specSchema(strict: boolean) {
  // Both infer the same output type.
  const object = (strict ? v.strictObject : v.object) as typeof v.object;
  const valueFrom = v.exactOptional(kubernetesType<EnvVarSource>('EnvVarSource'));
  const envVar = object({ name: requiredText, value: v.exactOptional(v.string()), valueFrom });
  const env = v.optional(v.array(envVar), []);
  const javaAgent = {
    image: text,
    env,
    volumeClaimTemplate: v.optional(
      kubernetesType<Overlay<PersistentVolumeClaimTemplate>>('PersistentVolumeClaimTemplate'),
    ),
    volumeLimitSize: v.optional(quantity),
  };
  const agent = { ...javaAgent, resourceRequirements: resources };
  const extensions = v.optional(v.array(object({ image: v.string(), dir: v.string() })), []);
  const webServer = { ...agent, attrs: env };
  const version = v.optional(v.string(), '2.4');
  const configPath = pathOr('/usr/local/apache2/conf');
  const configFile = pathOr('/etc/nginx/nginx.conf');
  const tls = object({
    secretName: text,
    configMapName: text,
    ca_file: text,
    cert_file: text,
    key_file: text,
  });
  const resourceAttributes = v.optional(v.record(v.string(), v.string()), {});
  return object({
    exporter: v.optional(object({ endpoint: text, tls: v.optional(tls) }), {}),
    resource: v.optional(object({ resourceAttributes, addK8sUIDAttributes: flag }), {}),
    propagators: v.optional(v.array(propagator), []),
    sampler: v.optional(object({ type: v.optional(samplerType), argument: text }), {}),
    defaults: v.optional(object({ useLabelsForResourceAttributes: flag }), {}),
    env,
    imagePullPolicy,
    initContainerSecurityContext: securityContext,
    java: v.optional(oneVolume(object({ ...javaAgent, resources, extensions })), {}),
    nodejs: v.optional(oneVolume(object(agent)), {}),
    python: v.optional(oneVolume(object(agent)), {}),
    dotnet: v.optional(oneVolume(object(agent)), {}),
    go: v.optional(oneVolume(object({ ...agent, securityContext })), {}),
    apacheHttpd: v.optional(oneVolume(object({ ...webServer, version, configPath })), {}),
    nginx: v.optional(oneVolume(object({ ...webServer, configFile })), {}),
  });
}

function oneVolume<const S extends v.GenericSchema>(agent: S) {
  const rule = '!(has(self.volumeClaimTemplate) && has(self.volumeLimitSize))';
  const message = 'volumeClaimTemplate and volumeLimitSize are mutually exclusive';
  return withOpenApi(agent, { 'x-kubernetes-validations': [{ rule, message }] });
}

export const strictInstrumentationSpec = specSchema(true);
export const instrumentationSpec = specSchema(false);

export type InstrumentationSpec = v.InferOutput<typeof instrumentationSpec>;
export interface Instrumentation extends Pick<Resource<InstrumentationSpec>, 'name' | 'spec'> {
  /** Languages whose defaults the operator's webhook has written into the resource. */
  readonly defaulted?: ReadonlySet<LanguageName>;
}

const parse = resourceParser(INSTRUMENTATION, instrumentationSpec);

/** Also applies the defaults that the operator's webhook would have written into the resource. */
export const parseInstrumentation = cacheByObject((object: KubeObject): Instrumentation | Invalid => {
  const parsed = parse(object);
  if ('problem' in parsed) return parsed;
  const annotations = annotationsOf(object);
  const defaulted = LANGUAGES.filter((name) => Object.hasOwn(annotations, defaultImageKey(name)));
  return { ...parsed, defaulted: new Set(defaulted) };
});
