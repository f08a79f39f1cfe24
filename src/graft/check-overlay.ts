import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { apiVersionOf, type ResourceRef } from '../kube/resource.ts';
import { fieldProblems } from './check-fields.ts';
import { keyProblems } from './check-keys.ts';
import { wholeListProblems } from './check-whole-lists.ts';
import { definedType } from './defined-type.ts';
import { absentItem, DIRECTIVE, directiveProblem, isAbsent, isDirective } from './directive.ts';
import { kindType, METADATA } from './field-schema.ts';
import { withoutExpressions } from './overlay-expressions.ts';
import type { OverlayProblem } from './overlay-problem.ts';
import { containsExpression } from './resolve-expressions.ts';
import { shapeOf } from './shape-of.ts';

/** All misused directives of a hand-written overlay. The merge itself trusts them. */
export function directiveProblems(overlay: JsonObject): OverlayProblem[] {
  const problems: OverlayProblem[] = [];
  walk(overlay, [], 'object');
  return problems;

  function walk(value: Json, path: readonly string[], place: 'object' | 'field' | 'item'): void {
    if (isJsonArray(value)) {
      for (const [index, item] of value.entries()) walk(item, [...path, String(index)], 'item');
      return;
    }
    if (!isJsonObject(value)) return;
    for (const [key, child] of Object.entries(value)) {
      if (!isDirective(key)) {
        walk(child, [...path, key], 'field');
        continue;
      }
      const message = directiveProblem(key, value, place) ?? removalProblem(value);
      if (message !== undefined) problems.push({ path: [...path, key], message });
      else if (key === DIRECTIVE.force || key === DIRECTIVE.atLeast)
        walkValue(child, [...path, key], 'field');
    }
  }

  /** Only expressions are directives there: a custom resource may have other keys that begin with `$`. */
  function walkValue(value: Json, path: readonly string[], place: 'field' | 'item'): void {
    if (isJsonArray(value)) {
      for (const [index, item] of value.entries()) walkValue(item, [...path, String(index)], 'item');
      return;
    }
    if (!isJsonObject(value)) return;
    for (const [key, child] of Object.entries(value)) {
      const isExpression = key === DIRECTIVE.cel || key === DIRECTIVE.when;
      const message = isExpression ? directiveProblem(key, value, place) : undefined;
      if (message !== undefined) problems.push({ path: [...path, key], message });
      walkValue(child, [...path, key], 'field');
    }
  }
}

/** Which items to remove must be known before expressions are resolved. */
function removalProblem(value: JsonObject): string | undefined {
  if (!isAbsent(value) || !containsExpression(absentItem(value))) return undefined;
  return 'expressions have no effect in the keys of an item to remove: make the removal conditional';
}

/**
 * All parts of a hand-written overlay that are invalid for objects of these kinds. A patch with such a value is an error for
 * everyone who creates such an object, even if failurePolicy is Ignore. Custom resources are checked against
 * `definitions`, the CustomResourceDefinitions that are known. Values of expressions stay unchecked.
 */
export function kindProblems(
  overlay: JsonObject,
  kinds: readonly (ResourceRef | '*')[],
  definitions: readonly KubeObject[] = [],
): OverlayProblem[] {
  const found = new Map<string, { problem: OverlayProblem; kinds: string[] }>();
  for (const kind of kinds) {
    for (const problem of problemsForKind(overlay, kind, definitions)) {
      const id = JSON.stringify(problem);
      const entry = found.get(id) ?? { problem, kinds: [] };
      found.set(id, { problem, kinds: [...entry.kinds, kind === '*' ? '*' : kind.kind] });
    }
  }
  return [...found.values()].map(({ problem, kinds: those }) =>
    those.length === kinds.length
      ? problem
      : { ...problem, message: `${problem.message} (for ${those.join(', ')})` },
  );
}

/** The spec of a custom resource without a definition stays unchecked. */
function problemsForKind(
  overlay: JsonObject,
  kind: ResourceRef | '*',
  definitions: readonly KubeObject[],
): OverlayProblem[] {
  const [apiVersion, name] = kind === '*' ? ['', '*'] : [apiVersionOf(kind), kind.kind];
  const type = kindType(apiVersion, name) ?? (kind === '*' ? undefined : definedType(kind, definitions));
  const literal = withoutExpressions(overlay);
  const { metadata = null } = literal;
  return [
    ...(type === undefined ? fieldProblems(metadata, METADATA, ['metadata']) : fieldProblems(literal, type)),
    ...keyProblems(overlay, shapeOf(apiVersion, name)),
    ...wholeListProblems(overlay, shapeOf(apiVersion, name)),
  ];
}
