import * as v from 'valibot';
import { builtin, knownResource, type ResourceRef, unknownKind } from '../../sdk/index.ts';
import { policyFile } from './policy-file.ts';

const version = v.optional(v.union([v.picklist(['v1', 'v1beta1', 'v1alpha1']), v.literal(false)]), 'v1');

const resource = v.union([
  v.pipe(
    v.string(),
    v.check(
      (name) => knownResource(name) !== undefined,
      ({ input }) => unknownKind(input),
    ),
  ),
  v.strictObject({
    group: v.string(),
    version: v.string(),
    kind: v.string(),
    resource: v.string(),
    namespaced: v.boolean(),
  }),
]);

/** Where policies come from, and the parameters that they may use. */
export type PolicySettings = v.InferOutput<typeof policySettings>;

export const policySettings = v.pipe(
  v.strictObject({
    /** The version of MutatingAdmissionPolicies that the cluster serves; false to ignore them. */
    mutating: version,
    /** The same for ValidatingAdmissionPolicies. */
    validating: version,
    /** Files with more policies and bindings. */
    files: v.optional(v.array(v.string()), []),
    /** The kinds that policies name in `paramKind`. */
    params: v.optional(v.array(resource), []),
    /** Whether policies are for custom resources too: their definitions are then read. */
    customResources: v.optional(v.boolean(), false),
    /** Whether policies may use `authorizer`: the server then asks the cluster, with permission to create SubjectAccessReviews. */
    authorizer: v.optional(v.boolean(), false),
  }),
  v.transform(({ params, files, ...settings }) => ({
    ...settings,
    params: params.map((kind): ResourceRef => (typeof kind === 'string' ? builtin(kind) : kind)),
    files: files.map(policyFile),
  })),
);
