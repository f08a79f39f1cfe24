import {
  type Attributes,
  type ClusterObjects,
  clusterObjects,
  type PolicyInputs,
} from '../../policy/index.ts';
import {
  asJson,
  builtin,
  type ClusterView,
  type Context,
  type JsonObject,
  type Request,
  type ResourceRef,
  type StringMap,
} from '../../sdk/index.ts';
import { authorizeByCalls } from './authorize-by-calls.ts';
import { isUsable } from './policy-problems.ts';
import type { PolicySettings } from './policy-settings.ts';

/** The inputs of an evaluation: valid policies of the cluster view and of files, and the objects that they may read. */
export function policyInputs(context: Context<PolicySettings>): PolicyInputs {
  const { config, cluster, calls } = context;
  const authorize = authorizeByCalls(calls, config.authorizer);
  return {
    configurations: givenPolicies(context).filter((object) => isUsable(object, config)),
    cluster: viewedObjects(config, cluster),
    ...(authorize && { authorize }),
  };
}

/** Policies and bindings of the cluster view and of files, valid or not. */
export function givenPolicies({
  config,
  cluster,
  files,
}: Pick<Context<PolicySettings>, 'config' | 'cluster' | 'files'>): readonly JsonObject[] {
  const inFiles = config.files.flatMap((file) => files.get(file)?.objects ?? []);
  return [...clusterPolicies(config, cluster), ...inFiles];
}

/** Valid or not. */
export function clusterPolicies(
  { mutating, validating }: PolicySettings,
  cluster: ClusterView,
): readonly JsonObject[] {
  const types = [
    ...(mutating === false ? [] : ['Mutating']),
    ...(validating === false ? [] : ['Validating']),
  ];
  return types
    .flatMap((type) => [`${type}AdmissionPolicy`, `${type}AdmissionPolicyBinding`])
    .flatMap((kind) => cluster.list(builtin(kind)))
    .map(asJson);
}

function viewedObjects({ params, customResources }: PolicySettings, view: ClusterView): ClusterObjects {
  const definitions = customResources ? view.list(builtin('CustomResourceDefinition')).map(asJson) : [];
  const namespace = builtin('Namespace');
  const refOf = (group: string, kind: string): ResourceRef | undefined =>
    [namespace, ...params].find((ref) => ref.group === group && ref.kind === kind);
  const defined = clusterObjects(definitions);
  return {
    ...defined,
    get(group, kind, namespace, name) {
      const ref = refOf(group, kind);
      const found = ref && view.get(ref, ref.namespaced ? namespace : undefined, name);
      return found && asJson(found);
    },
    list(group, kind, namespace) {
      const ref = refOf(group, kind);
      return ref === undefined ? [] : view.list(ref, namespace === '' ? undefined : namespace).map(asJson);
    },
    // Every namespace of a request exists, also one that files do not mention.
    namespaceLabels: (name) => ({
      'kubernetes.io/metadata.name': name,
      ...((view.get(namespace, undefined, name)?.metadata.labels ?? {}) as StringMap),
    }),
    customResource: (wanted) =>
      defined.customResource(wanted) ?? declared(params, wanted.group, wanted.kind, wanted.version),
  };
}

function declared(params: readonly ResourceRef[], group: string, kind: string, version: string) {
  const ref = params.find((each) => each.group === group && each.kind === kind);
  return ref && { ...ref, version, schema: undefined };
}

/** A request in the form that policies see. */
export function attributesOf(request: Request, object: JsonObject): Attributes {
  const { operation, kind, resource, subResource, name, userInfo, dryRun, oldObject } = request;
  // The namespace of a Namespace is its own name.
  const isNamespace = kind.group === '' && kind.kind === 'Namespace';
  return {
    operation,
    kind,
    resource,
    subresource: subResource,
    name,
    namespace: isNamespace ? name : request.namespace,
    object,
    oldObject: oldObject === undefined ? null : asJson(oldObject),
    options: null,
    dryRun,
    user: userInfo,
  };
}
