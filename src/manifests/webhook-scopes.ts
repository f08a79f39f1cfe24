import { isDeepStrictEqual } from 'node:util';
import type { DeepReadonly } from '../kube/kube-object.ts';
import type { LabelSelector } from '../kube/label-selector.ts';
import type { ResourceRef } from '../kube/resource.ts';
import type { Pipeline, Stage } from '../pipeline/pipeline.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { Selection } from '../sdk/match.ts';
import { grouped } from './grouped.ts';
import { isWholeGroup, wholeGroup, withNamedKinds } from './named-kinds.ts';

/** The part of a webhook that follows from the configuration. */
export interface WebhookScope {
  /** Prefix of the webhook's name. */
  readonly name: string;
  /** The injectors it serves. */
  readonly injectors: readonly string[];
  readonly rules: readonly Rule[];
  readonly namespaceSelector?: DeepReadonly<LabelSelector>;
  readonly objectSelector?: DeepReadonly<LabelSelector>;
  readonly matchConditions: readonly MatchCondition[];
}

export interface Rule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  readonly scope: 'Namespaced' | 'Cluster' | '*';
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

/**
 * One webhook per kind, so that no object is sent twice. Names do not depend on the injectors, so that a webhook keeps what the
 * API server stores with it, such as its caBundle, when the configuration changes. A webhook matches at least what its
 * injectors match; the pipeline does the rest.
 */
export function webhookScopes(pipeline: Pipeline, cluster?: ClusterView): readonly WebhookScope[] {
  const stages = withNamedKinds(pipeline.stages, cluster);
  if (stages.some(({ match }) => match.kinds.includes('*'))) return scopeOf('any', stages, undefined);
  const byName = new Map<string, KindStages>();
  const refs = stages.flatMap(({ match }) => match.kinds).filter((ref) => ref !== '*');
  const wholeGroups = new Set(refs.flatMap((ref) => (isWholeGroup(ref) ? ref.group : [])));
  for (const stage of stages) {
    for (const kind of stage.match.kinds) {
      if (kind === '*') continue;
      const ref = wholeGroups.has(kind.group) ? wholeGroup(kind.group) : kind;
      const name = nameOf(ref);
      const known = byName.get(name) ?? { ref, versions: new Set<string>(), stages: new Set<Stage>() };
      byName.set(name, known);
      known.versions.add(ref.version);
      known.stages.add(stage);
    }
  }
  return [...byName].flatMap(([name, { ref, versions, stages }]) =>
    scopeOf(name, [...stages], ref, [...versions]),
  );
}

interface KindStages {
  readonly ref: ResourceRef;
  /** All versions that the stages match: objects sent in another version are converted. */
  readonly versions: Set<string>;
  readonly stages: Set<Stage>;
}

function nameOf(ref: ResourceRef): string {
  if (isWholeGroup(ref)) return `any.${ref.group}`;
  return ref.group === '' ? ref.resource : `${ref.resource}.${ref.group}`;
}

/** `ref` is undefined for all kinds. Empty if no operation can be injected. */
function scopeOf(
  name: string,
  stages: readonly Stage[],
  ref: ResourceRef | undefined,
  versions: readonly string[] = ['*'],
): readonly WebhookScope[] {
  const isPods = ref?.kind === 'Pod' && ref.group === '';
  const operations = operationsOf(stages, isPods);
  if (operations.length === 0) return [];
  const rule: Rule = {
    apiGroups: [ref?.group ?? '*'],
    apiVersions: versions,
    // Not `*/*`: subresources are never injected.
    resources: [ref?.resource ?? '*'],
    operations,
    scope: ref === undefined || isWholeGroup(ref) ? '*' : ref.namespaced ? 'Namespaced' : 'Cluster',
  };
  const matchConditions = [
    ...(isPods ? [notMirrorPods] : []),
    ...(ref === undefined ? beyondPods : []),
    ...inNamespaces(stages),
    ...conditionsOf(stages),
  ];
  const injectors = [...new Set(stages.map((stage) => stage.name))];
  const common = { injectors, rules: [rule], matchConditions };
  const selections = selectionsOf(stages);
  if (selections !== undefined)
    return selections.map((selection) => ({ ...selection, ...common, name: `${selection.name}.${name}` }));
  return [
    {
      name,
      ...common,
      ...sharedSelector(stages, 'namespaceSelector'),
      ...sharedSelector(stages, 'objectSelector'),
    },
  ];
}

/** An injector's own selections, if no other injector matches the kind: another may need objects they leave out. */
function selectionsOf([stage, ...others]: readonly Stage[]): readonly Selection[] | undefined {
  if (stage === undefined || others.length > 0) return undefined;
  const { injector, match, config } = stage;
  return injector.selections?.(config).map(({ name, namespaceSelector, objectSelector }) => ({
    name,
    namespaceSelector: combine(namespaceSelector, match.namespaceSelector),
    objectSelector: combine(objectSelector, match.objectSelector),
  }));
}

function combine(
  one: DeepReadonly<LabelSelector>,
  other: DeepReadonly<LabelSelector> = {},
): DeepReadonly<LabelSelector> {
  const labels = { ...one.matchLabels, ...other.matchLabels };
  return {
    ...(Object.keys(labels).length > 0 && { matchLabels: labels }),
    matchExpressions: [...(one.matchExpressions ?? []), ...(other.matchExpressions ?? [])],
  };
}

/** DELETE and CONNECT carry no object to inject, and a Pod's spec is immutable after CREATE. */
function operationsOf(stages: readonly Stage[], isPods: boolean): Rule['operations'] {
  const wanted = new Set<string>(stages.flatMap(({ match }) => match.operations));
  const possible = isPods ? (['CREATE'] as const) : (['CREATE', 'UPDATE'] as const);
  return possible.filter((operation) => wanted.has('*') || wanted.has(operation));
}

/** A webhook has one selector, so it narrows only where all injectors of the kind agree. */
function sharedSelector(stages: readonly Stage[], field: 'namespaceSelector' | 'objectSelector') {
  const [first, ...others] = stages.map(({ match }) => match[field]);
  return first !== undefined && others.every((other) => isDeepStrictEqual(other, first))
    ? { [field]: first }
    : {};
}

/** Patterns are not expressible as label selectors. CEL's `matches` uses RE2, so it takes linear time. */
function inNamespaces(stages: readonly Stage[]): readonly MatchCondition[] {
  const patterns = new Set<string>();
  for (const { match } of stages) {
    if (match.namespaces === undefined) return [];
    for (const pattern of match.namespaces) patterns.add(pattern);
  }
  // A pattern with other characters matches no namespace, so nothing needs escaping.
  const possible = [...patterns].filter((pattern) => /^[a-z0-9*-]*$/.test(pattern));
  const alternatives = possible.map((pattern) => pattern.replaceAll('*', '.*')).join('|');
  // Cluster-scoped objects have no `namespace`.
  const expression = `!has(request.namespace) || request.namespace.matches('^(${alternatives})$')`;
  return [{ name: 'in-namespaces', expression }];
}

/** The API server need not call if no injector's conditions hold. One injector without conditions wants every object. */
function conditionsOf(stages: readonly Stage[]): readonly MatchCondition[] {
  const alternatives = stages.map(({ match: { conditions = [] } }) =>
    conditions.map(({ expression }) => grouped(expression)).join(' && '),
  );
  if (alternatives.includes('')) return [];
  return [{ name: 'conditions', expression: [...new Set(alternatives)].join(' || ') }];
}

const isNoMirror =
  "!has(object.metadata) || !has(object.metadata.annotations) || !('kubernetes.io/config.mirror' in object.metadata.annotations)";

/** The kubelet's mirrors of static Pods: they cannot be changed through the API. */
const notMirrorPods: MatchCondition = { name: 'not-mirror-pods', expression: isNoMirror };

const isNoPod = "request.resource.group != '' || request.resource.resource != 'pods'";

/** Excluded when all kinds match: requests that are frequent or critical, and never injected. */
export const beyondPods: readonly MatchCondition[] = [
  // An object of another kind may have the annotation, too.
  { name: 'not-mirror-pods', expression: `${isNoPod} || ${isNoMirror}` },
  { name: 'pods-on-create-only', expression: `${isNoPod} || request.operation == 'CREATE'` },
  {
    name: 'not-leases',
    expression: "request.resource.group != 'coordination.k8s.io' || request.resource.resource != 'leases'",
  },
  {
    name: 'not-access-reviews',
    expression: "!(request.resource.group in ['authentication.k8s.io', 'authorization.k8s.io'])",
  },
];
