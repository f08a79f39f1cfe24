import { builtin, configFrom, defineInjector, type JsonObject, type ReadRef } from '../../sdk/index.ts';
import { POLICY_KINDS } from './policy-file.ts';
import { type PolicySettings, policySettings } from './policy-settings.ts';
import { sample } from './sample.ts';

export const admissionPolicy = defineInjector<PolicySettings, object>({
  name: 'admission-policy',
  summary: 'Runs MutatingAdmissionPolicies and ValidatingAdmissionPolicies on any version of Kubernetes',
  starter: `# match: {kinds: [Pod, Deployment], operations: [CREATE, UPDATE]}
with:
  params: [ConfigMap] # the kinds that policies name in paramKind
`,
  sample,
  match: { kinds: ['*'], operations: ['*'] },
  // The engine is large, and few configurations use it.
  async prepare() {
    engine ??= await import('./run-policies.ts');
  },
  runs: POLICY_KINDS,
  config: configFrom(policySettings),
  files: ({ files }) => files,
  reads: ({ mutating, validating, params, customResources }) => [
    ...policyReads('Mutating', mutating),
    ...policyReads('Validating', validating),
    ...params,
    { ...builtin('Namespace'), fields: ['spec', 'status'] },
    ...(customResources ? [{ ...builtin('CustomResourceDefinition'), fields: ['spec'] }] : []),
  ],
  asksAuthorizer: ({ authorizer }) => authorizer,
  problems: (config, cluster, files) => loaded().policyProblems(config, cluster, files),
  inject: (object, context) => loaded().runMutating(object as JsonObject, context),
  validate: (object, context) => loaded().runValidating(object as JsonObject, context),
});

let engine: typeof import('./run-policies.ts') | undefined;

function loaded(): NonNullable<typeof engine> {
  if (engine === undefined) throw new TypeError('Call "prepare" first');
  return engine;
}

function policyReads(
  type: 'Mutating' | 'Validating',
  served: PolicySettings['mutating'],
): readonly ReadRef[] {
  if (served === false) return [];
  return ['Policy', 'PolicyBinding'].map((suffix) => ({
    ...builtin(`${type}Admission${suffix}`),
    version: served,
    fields: ['spec'],
  }));
}
