import { isDeepStrictEqual } from 'node:util';
import type { DeepReadonly } from '../kube/kube-object.ts';
import type { LabelSelector } from '../kube/label-selector.ts';
import type { ResourceRef } from '../kube/resource.ts';
import type { Pipeline, Stage } from '../pipeline/pipeline.ts';
import type { Selection } from '../sdk/match.ts';

/** What one webhook is called for, as far as the configuration alone decides it. */
export interface WebhookScope {
  /** The first labels of the webhook's name. */
  readonly name: string;
  /** Names of the injectors that it is for. */
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
 * One webhook for each kind, so that no object is sent twice and names stay the same when the configuration changes: what the
 * API server stores beside a webhook's name, such as its caBundle, stays too. Each is called for at least what the
 * injectors match; the pipeline narrows the rest.
 */
export function webhookScopes({ stages }: Pipeline): readonly WebhookScope[] {
  if (stages.some(({ match }) => match.kinds.includes('*'))) return scopeOf('any', stages, undefined);
  const byKind = new Map<string, { readonly ref: ResourceRef; readonly stages: Stage[] }>();
  for (const stage of stages) {
    for (const ref of stage.match.kinds) {
      if (ref === '*') continue;
      const name = ref.group === '' ? ref.resource : `${ref.resource}.${ref.group}`;
      const kind = byKind.get(name) ?? { ref, stages: [] };
      kind.stages.push(stage);
      byKind.set(name, kind);
    }
  }
  return [...byKind].flatMap(([name, kind]) => scopeOf(name, kind.stages, kind.ref));
}

/** `ref` is undefined for all kinds. None where nothing could be injected. */
function scopeOf(
  name: string,
  stages: readonly Stage[],
  ref: ResourceRef | undefined,
): readonly WebhookScope[] {
  const isPods = ref?.kind === 'Pod' && ref.group === '';
  const operations = operationsOf(stages, isPods);
  if (operations.length === 0) return [];
  const rule: Rule = {
    apiGroups: [ref?.group ?? '*'],
    apiVersions: [ref?.version ?? '*'],
    // Not `*/*`: subresources are never injected.
    resources: [ref?.resource ?? '*'],
    operations,
    scope: ref === undefined ? '*' : ref.namespaced ? 'Namespaced' : 'Cluster',
  };
  const matchConditions = [
    ...(isPods || ref === undefined ? [notMirrorPods] : []),
    ...(ref === undefined ? beyondPods : []),
    ...inNamespaces(stages),
  ];
  const common = { injectors: stages.map((stage) => stage.name), rules: [rule], matchConditions };
  const selections = selectionsOf(stages);
  if (selections !== undefined)
    return selections.map((selection) => ({ ...selection, ...common, name: `${selection.name}.${name}` }));
  const [namespaceSelector, objectSelector] = [
    shared(stages, 'namespaceSelector'),
    shared(stages, 'objectSelector'),
  ];
  return [
    {
      name,
      ...common,
      ...(namespaceSelector && { namespaceSelector }),
      ...(objectSelector && { objectSelector }),
    },
  ];
}

/** An injector's own alternatives, where it has the kind to itself: others would have to be called for more. */
function selectionsOf([stage, ...others]: readonly Stage[]): readonly Selection[] | undefined {
  if (stage === undefined || others.length > 0) return undefined;
  const { injector, match, config } = stage;
  return injector.selections?.(config).map(({ name, namespaceSelector, objectSelector }) => ({
    name,
    namespaceSelector: both(namespaceSelector, match.namespaceSelector),
    objectSelector: both(objectSelector, match.objectSelector),
  }));
}

function both(
  one: DeepReadonly<LabelSelector>,
  other: DeepReadonly<LabelSelector> = {},
): DeepReadonly<LabelSelector> {
  const labels = { ...one.matchLabels, ...other.matchLabels };
  return {
    ...(Object.keys(labels).length > 0 && { matchLabels: labels }),
    matchExpressions: [...(one.matchExpressions ?? []), ...(other.matchExpressions ?? [])],
  };
}

/** DELETE and CONNECT have nothing to inject into, and a Pod's spec is immutable after CREATE. */
function operationsOf(stages: readonly Stage[], isPods: boolean): Rule['operations'] {
  const wanted = new Set<string>(stages.flatMap(({ match }) => match.operations));
  const possible = isPods ? (['CREATE'] as const) : (['CREATE', 'UPDATE'] as const);
  return possible.filter((operation) => wanted.has('*') || wanted.has(operation));
}

/** Two selectors cannot be told as one: they narrow only where all injectors of a kind agree on them. */
function shared(stages: readonly Stage[], field: 'namespaceSelector' | 'objectSelector') {
  const [first, ...others] = stages.map(({ match }) => match[field]);
  return others.every((other) => isDeepStrictEqual(other, first)) ? first : undefined;
}

/** Patterns cannot be label selectors, but CEL's `matches` is RE2: linear in the name. */
function inNamespaces(stages: readonly Stage[]): readonly MatchCondition[] {
  const patterns = new Set<string>();
  for (const { match } of stages) {
    if (match.namespaces === undefined) return [];
    for (const pattern of match.namespaces) patterns.add(pattern);
  }
  // What no namespace's name can hold matches none, and so needs no escaping.
  const possible = [...patterns].filter((pattern) => /^[a-z0-9*-]*$/.test(pattern));
  const alternatives = possible.map((pattern) => pattern.replaceAll('*', '.*')).join('|');
  // Objects outside of namespaces have no such field.
  const expression = `!has(request.namespace) || request.namespace.matches('^(${alternatives})$')`;
  return [{ name: 'in-namespaces', expression }];
}

/** The kubelet's images of static pods, which cannot be changed here. */
const notMirrorPods: MatchCondition = {
  name: 'not-mirror-pods',
  expression:
    "!has(object.metadata) || !has(object.metadata.annotations) || !('kubernetes.io/config.mirror' in object.metadata.annotations)",
};

/** Where everything is matched: what would be called often or fatally, and in vain. */
const beyondPods: readonly MatchCondition[] = [
  {
    name: 'pods-on-create-only',
    expression:
      "request.resource.group != '' || request.resource.resource != 'pods' || request.operation == 'CREATE'",
  },
  {
    name: 'not-leases',
    expression: "request.resource.group != 'coordination.k8s.io' || request.resource.resource != 'leases'",
  },
  {
    name: 'not-access-reviews',
    expression: "!(request.resource.group in ['authentication.k8s.io', 'authorization.k8s.io'])",
  },
];
