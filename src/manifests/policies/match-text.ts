import type { JsonObject } from '../../json/json.ts';
import type { DeepReadonly, StringMap } from '../../kube/kube-object.ts';
import type { LabelSelector } from '../../kube/label-selector.ts';
import { apiVersionOf, type ResourceRef } from '../../kube/resource.ts';
import type { Pipeline } from '../../pipeline/pipeline.ts';
import type { ResolvedMatch } from '../../pipeline/resolve-match.ts';
import type { Exclusion } from '../../sdk/match.ts';
import { beyondPods } from '../webhook-scopes.ts';
import { patternText, quoted } from './cel-text.ts';
import { all } from './covers-text.ts';
import { literal } from './value-text.ts';

/** A `match` as the matchConstraints and matchConditions of a policy for one kind, or for all. */
export function matchText(
  match: ResolvedMatch,
  ref: ResourceRef | '*',
  { excludedNamespaces }: Pipeline,
  onlyNamespaces: readonly string[] = [],
): { readonly matchConstraints: JsonObject; readonly matchConditions: readonly JsonObject[] } | undefined {
  const isPod = ref !== '*' && apiVersionOf(ref) === 'v1' && ref.kind === 'Pod';
  const [group, version, resource] = ref === '*' ? '***' : [ref.group, ref.version, ref.resource];
  const possible = isPod ? ['CREATE'] : ['CREATE', 'UPDATE'];
  const operations = possible.filter((each) =>
    (match.operations as readonly string[]).some((wanted) => wanted === each || wanted === '*'),
  );
  if (operations.length === 0) return undefined;
  const { namespaceSelector } = match;
  const excluded = [...excludedNamespaces];
  const expressions = [
    ...(excluded.length === 0 ? [] : [{ key: NAMESPACE, operator: 'NotIn', values: excluded }]),
    ...(onlyNamespaces.length === 0 ? [] : [{ key: NAMESPACE, operator: 'In', values: onlyNamespaces }]),
    ...(namespaceSelector?.matchExpressions ?? []),
  ];
  const labels = namespaceSelector?.matchLabels;
  return {
    matchConstraints: {
      matchPolicy: 'Exact',
      ...((expressions.length > 0 || labels) && {
        namespaceSelector: {
          ...(labels && { matchLabels: labels }),
          ...(expressions.length > 0 && { matchExpressions: expressions }),
        },
      }),
      resourceRules: [{ apiGroups: [group], apiVersions: [version], operations, resources: [resource] }],
    } as JsonObject,
    matchConditions: [
      ...(ref === '*' ? beyondPods.map((condition) => ({ ...condition })) : []),
      ...[...conditions(match, isPod)].map(([name, expression]) => ({ name, expression })),
    ],
  };
}

const NAMESPACE = 'kubernetes.io/metadata.name';

/** Labels and annotations are conditions, since other policies may set them: conditions see the object as it is then. */
function* conditions(match: ResolvedMatch, isPod: boolean): Generator<readonly [string, string]> {
  if (isPod) {
    yield ['not-mirror-pods', `!(${hasText('annotations', 'kubernetes.io/config.mirror')})`];
  }
  if (match.annotations) yield ['annotations', equalText('annotations', match.annotations)];
  for (const [name, text] of identities(match)) yield [name, text];
  for (const [name, text] of identities(match.exclude ?? {}, 'exists')) yield [`not-${name}`, `!(${text})`];
  for (const [index, { expression }] of (match.conditions ?? []).entries()) {
    yield [`condition-${index + 1}`, expression];
  }
}

type Identities = { readonly [Field in keyof Exclusion]: Exclusion[Field] | undefined };

/** What `match` and its `exclude` have in common; of several annotations, all or any must exist. */
function* identities(
  { namespaces, names, users, groups, objectSelector, hasAnnotations }: Identities,
  annotations: 'all' | 'exists' = 'all',
): Generator<readonly [string, string]> {
  if (namespaces) yield ['in-namespaces', matchesText("request.?namespace.orValue('')", namespaces)];
  if (names) {
    const name = "object.metadata.?name.or(object.metadata.?generateName).orValue('')";
    yield ['names', matchesText(name, names)];
  }
  if (users) yield ['users', matchesText("request.userInfo.?username.orValue('')", users)];
  if (groups) {
    yield ['groups', `request.userInfo.?groups.orValue([]).exists(g, ${matchesText('g', groups)})`];
  }
  if (objectSelector) yield ['labels', selectorText(objectSelector)];
  if (hasAnnotations) {
    const keys = `${literal(hasAnnotations)}.${annotations}(key, key in object.metadata.annotations)`;
    yield [
      'has-annotations',
      hasAnnotations.length === 0
        ? String(annotations === 'all')
        : `has(object.metadata.annotations) && ${keys}`,
    ];
  }
}

function matchesText(text: string, patterns: readonly string[]): string {
  return patterns.length === 0 ? 'false' : `${text}.matches(${patternText(patterns)})`;
}

function selectorText({ matchLabels = {}, matchExpressions = [] }: DeepReadonly<LabelSelector>): string {
  return all([
    equalText('labels', matchLabels),
    ...matchExpressions.map(({ key, operator, values = [] }) => {
      const has = hasText('labels', key);
      const isIn = `${has} && object.metadata.labels[${quoted(key)}] in ${literal(values as string[])}`;
      switch (operator) {
        case 'Exists':
          return has;
        case 'DoesNotExist':
          return `!(${has})`;
        case 'In':
          return isIn;
        default:
          return `!(${isIn})`;
      }
    }),
  ]);
}

function equalText(field: 'labels' | 'annotations', wanted: StringMap): string {
  return all(
    Object.entries(wanted).map(
      ([key, value]) =>
        `${hasText(field, key)} && object.metadata.${field}[${quoted(key)}] == ${quoted(value)}`,
    ),
  );
}

function hasText(field: 'labels' | 'annotations', key: string): string {
  return `has(object.metadata.${field}) && ${quoted(key)} in object.metadata.${field}`;
}
