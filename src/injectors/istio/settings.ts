import * as v from 'valibot';
import { configFrom } from '../../sdk/config.ts';
import { injectPathEnv } from './inject-path.ts';

const schema = v.pipe(
  v.strictObject({
    /** The revision served: which ConfigMaps are read, and what Pods are stamped with. */
    revision: v.optional(
      v.pipe(v.string(), v.regex(/^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$/, 'not a revision')),
      'default',
    ),
    /** Revision tags that point here, for the selectors. */
    tags: v.optional(v.array(v.string()), []),
    /** `sidecarInjectorWebhook.enableNamespacesByDefault` of Istio's values, which is not known before there is a cluster. */
    enableNamespacesByDefault: v.optional(v.boolean(), false),
    /** Where Istio's ConfigMaps are. */
    namespace: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), 'istio-system'),
    /** ENABLE_NATIVE_SIDECARS of istiod. */
    nativeSidecars: v.optional(v.union([v.boolean(), v.literal('auto')]), 'auto'),
    /** PLATFORM of istiod. */
    platform: v.optional(v.picklist(['', 'openshift']), ''),
    /** COMPLIANCE_POLICY of istiod. */
    compliancePolicy: v.optional(v.string(), ''),
    /** What stands behind /inject in the webhook's URL, such as /inject/cluster/east/net/one. */
    injectPath: v.optional(v.string(), '/inject'),
    /** ENVOY_SECURE_MERGED_METRICS_PORT of istiod. */
    secureMetricsPort: v.optional(v.string(), ''),
    /** SHARED_MESH_CONFIG of istiod: a ConfigMap whose mesh is weaker than the revision's own. */
    sharedMeshConfig: v.optional(v.string(), ''),
    /** Other environment of istiod that templates ask for by `env`. */
    env: v.optional(v.record(v.string(), v.string()), {}),
    /** Check namespace and Pod labels as Istio's webhook configurations do. For servers that see other Pods, too. */
    checkSelectors: v.optional(v.boolean(), false),
    /** Leave probes on undeclared named ports alone. Istio rewrites them to a path that never answers. */
    keepUnknownPortProbes: v.optional(v.boolean(), true),
    /** Without Istio: use the built-in template, which makes no mesh. */
    demonstration: v.optional(v.boolean(), false),
  }),
  v.transform((raw) => ({ ...raw, pathEnv: injectPathEnv(raw.injectPath) })),
);

export const readSettings = configFrom(schema);
export type Settings = v.InferOutput<typeof schema>;
