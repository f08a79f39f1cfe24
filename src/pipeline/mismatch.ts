import type { KubeObject, StringMap } from '../kube/kube-object.ts';
import { annotationsOf, labelsOf } from '../kube/kube-object.ts';
import { matchesSelector } from '../kube/label-selector.ts';
import { matchesNamePattern } from '../kube/name-pattern.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { Match } from '../sdk/match.ts';
import type { Request } from '../sdk/request.ts';
import { namespaceLabelsOf } from './namespace-labels.ts';
import type { ResolvedMatch } from './resolve-match.ts';

/** Why an injector is not for this request; undefined when it is. */
export function mismatch(
  match: ResolvedMatch,
  request: Request,
  object: KubeObject,
  cluster: ClusterView,
): string | undefined {
  const { kind } = request;
  if (!isFor(match.kinds, kind)) return `not for kind ${kind.kind}`;
  if (!match.operations.includes(request.operation) && !match.operations.includes('*')) {
    return `not for operation ${request.operation}`;
  }
  if (match.namespaces && !match.namespaces.some((name) => matchesNamePattern(name, request.namespace))) {
    return `namespaces do not include "${request.namespace}"`;
  }
  if (match.namespaceSelector && !namespaceMatches(match.namespaceSelector, request, cluster)) {
    return `namespaceSelector does not match namespace "${request.namespace}"`;
  }
  if (match.objectSelector && !matchesSelector(match.objectSelector, labelsOf(object))) {
    return 'objectSelector does not match the labels';
  }
  return match.annotations && annotationMismatch(match.annotations, annotationsOf(object));
}

function isFor(kinds: ResolvedMatch['kinds'], kind: Request['kind']): boolean {
  for (const ref of kinds) {
    if (ref === '*' || (ref.kind === kind.kind && ref.group === kind.group)) return true;
  }
  return false;
}

/** As the API server has it: a cluster-scoped object is in no namespace that could be left out. */
function namespaceMatches(
  selector: NonNullable<Match['namespaceSelector']>,
  request: Request,
  cluster: ClusterView,
): boolean {
  return request.namespace === '' || matchesSelector(selector, namespaceLabelsOf(request, cluster));
}

function annotationMismatch(wanted: StringMap, found: StringMap): string | undefined {
  for (const key of Object.keys(wanted)) {
    if (!Object.hasOwn(found, key)) return `no annotation "${key}"`;
    if (found[key] !== wanted[key]) return `annotation "${key}" is not "${wanted[key]}"`;
  }
  return undefined;
}
