import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { StringMap } from '../kube/kube-object.ts';
import { type LabelSelector, matchesSelector } from '../kube/label-selector.ts';
import { groupOf, resourceOf } from '../kube/resource.ts';
import type { Attributes } from './attributes.ts';
import { type ClusterObjects, metadataOf } from './cluster-objects.ts';
import type { Policy, PolicyBinding } from './policy.ts';

/** The parameters that a policy runs with, once for each; null means none. Otherwise why the binding is unusable. */
export type FoundParams =
  | { readonly params: readonly (JsonObject | null)[] }
  | { readonly error: string; readonly isOfPolicy?: true };

export function findParams(
  policy: Policy,
  { paramRef }: PolicyBinding,
  request: Attributes,
  cluster: ClusterObjects,
): FoundParams {
  const { paramKind } = policy;
  if (paramKind === undefined) return { params: [null] };
  const group = groupOf(paramKind.apiVersion);
  const version = paramKind.apiVersion.slice(paramKind.apiVersion.indexOf('/') + 1);
  const known =
    resourceOf(group, paramKind.kind) ?? cluster.customResource({ group, version, kind: paramKind.kind });
  if (known === undefined) {
    const kind = `${group}/${version}, Kind=${paramKind.kind}`;
    const error = `failed to configure policy: failed to find resource referenced by paramKind: '${kind}'`;
    return { error, isOfPolicy: true };
  }
  if (paramRef === undefined) return { params: [null] };
  const scope = namespaceFor(paramRef, known.namespaced, request);
  if (typeof scope !== 'string') return scope;
  const found = select(paramRef, cluster.list(group, paramKind.kind, scope));
  if (found.length > 0) return { params: found };
  if (paramRef.parameterNotFoundAction === 'Allow') return { params: [] };
  return {
    error:
      'failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction',
  };
}

function namespaceFor(
  { namespace }: JsonObject,
  isNamespaced: boolean,
  request: Attributes,
): string | { readonly error: string } {
  const given = typeof namespace === 'string' ? namespace : '';
  if (!isNamespaced) {
    if (given === '') return '';
    return {
      error:
        'failed to configure binding: paramRef.namespace must not be provided for a cluster-scoped `paramKind`',
    };
  }
  if (given !== '') return given;
  if (request.namespace !== '') return request.namespace;
  const message = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
  return { error: `failed to configure binding: ${message}` };
}

function select({ name, selector }: JsonObject, candidates: readonly JsonObject[]): readonly JsonObject[] {
  if (typeof name === 'string' && name !== '') {
    return candidates.filter((candidate) => metadataOf(candidate).name === name);
  }
  if (!isJsonObject(selector)) return [];
  return candidates.filter((candidate) => {
    const { labels } = metadataOf(candidate);
    return matchesSelector(selector as LabelSelector, (isJsonObject(labels) ? labels : {}) as StringMap);
  });
}

/** `namespace/name` of a parameter, or its name. */
export function paramName(param: JsonObject): string {
  const { namespace, name } = metadataOf(param);
  return typeof namespace === 'string' && namespace !== '' ? `${namespace}/${String(name)}` : String(name);
}
