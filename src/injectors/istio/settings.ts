import * as v from 'valibot';
import { configFrom, isQuantity } from '../../sdk/index.ts';
import { injectPathEnv } from './decide/inject-path.ts';

const schema = v.pipe(
  v.strictObject({
    /** The revision: selects the ConfigMaps, and is recorded in the Pods. */
    revision: v.optional(
      v.pipe(v.string(), v.regex(/^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$/, 'not a valid revision')),
      'default',
    ),
    /** Revision tags that point to it, for the selectors. */
    tags: v.optional(v.array(v.string()), []),
    /** `sidecarInjectorWebhook.enableNamespacesByDefault` of Istio's values, which manifests are generated without. */
    enableNamespacesByDefault: v.optional(v.boolean(), false),
    /** The namespace of Istio's ConfigMaps. */
    namespace: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), 'istio-system'),
    /** ENABLE_NATIVE_SIDECARS of istiod. */
    nativeSidecars: v.optional(v.union([v.boolean(), v.literal('auto')]), 'auto'),
    /** PLATFORM of istiod. */
    platform: v.optional(v.picklist(['', 'openshift']), ''),
    /** COMPLIANCE_POLICY of istiod. */
    compliancePolicy: v.optional(v.string(), ''),
    /** The path of the webhook's URL for requests without one, such as /inject/cluster/east/net/one. */
    injectPath: v.optional(v.string(), '/inject'),
    /** SHARED_MESH_CONFIG of istiod: a ConfigMap with weaker mesh settings than the revision's own. */
    sharedMeshConfig: v.optional(v.string(), ''),
    /** Other environment variables of istiod, which templates read with `env`. */
    env: v.optional(v.record(v.string(), v.string()), {}),
    /** Check the labels of namespace and Pod as Istio's webhook configurations do. For servers that receive other Pods, too. */
    checkSelectors: v.optional(v.boolean(), false),
    /** Do not rewrite probes of undeclared named ports. Istio rewrites them to a path that never responds. */
    keepUnknownPortProbes: v.optional(v.boolean(), true),
    /** Annotations that Pods must not have; `*` stands for any characters. */
    forbiddenAnnotations: v.optional(v.array(v.pipe(v.string(), v.nonEmpty('must not be empty'))), []),
    /** Images that the containers of the templates may have; `*` stands for any characters. All if empty. */
    allowedImages: v.optional(v.array(v.pipe(v.string(), v.nonEmpty('must not be empty'))), []),
    /** The most that each container of the templates may request, and its highest limit. */
    maxResources: v.optional(
      v.record(v.string(), v.pipe(v.string(), v.check(isQuantity, 'not a quantity such as 500m or 128Mi'))),
      {},
    ),
    /** Whether Pods may define containers of the templates, whose fields then win. */
    allowOverrides: v.optional(v.boolean(), true),
    /** Without Istio's ConfigMap, use a built-in template. Its proxy does not join a mesh. */
    demonstration: v.optional(v.boolean(), false),
  }),
  v.transform((raw) => ({ ...raw, pathEnv: injectPathEnv(raw.injectPath) })),
);

export const readSettings = configFrom(schema);
export type Settings = v.InferOutput<typeof schema>;
