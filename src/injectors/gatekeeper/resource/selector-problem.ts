import {
  type DeepReadonly,
  isJsonArray,
  isJsonObject,
  type Json,
  type LabelSelector,
  metadataProblems,
} from '../../../sdk/index.ts';

/** Why Kubernetes cannot evaluate a label selector; undefined if it can. */
export function selectorProblem(selector: DeepReadonly<LabelSelector>): string | undefined {
  const { matchLabels = {}, matchExpressions = [], ...rest } = selector as { readonly [key: string]: Json };
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) return `unknown key "${unknown}"`;
  if (!isJsonObject(matchLabels)) return 'matchLabels: expected a map';
  const badLabel = labelProblem(matchLabels);
  if (badLabel !== undefined) return `matchLabels: ${badLabel}`;
  if (!isJsonArray(matchExpressions)) return 'matchExpressions: expected a list';
  for (const [index, expression] of matchExpressions.entries()) {
    const problem = expressionProblem(expression);
    if (problem !== undefined) return `matchExpressions.${index}: ${problem}`;
  }
  return undefined;
}

function expressionProblem(expression: Json): string | undefined {
  if (!isJsonObject(expression)) return 'expected a map';
  const { key, operator } = expression;
  const values = expression.values ?? [];
  if (typeof key !== 'string') return 'key: expected a string';
  if (!isJsonArray(values)) return 'values: expected a list';
  const badLabel = labelProblem({ [key]: '' }) ?? firstProblem(values, (value) => labelProblem({ x: value }));
  if (badLabel !== undefined) return badLabel;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? undefined : `operator ${operator} needs values`;
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0 ? undefined : `operator ${operator} takes no values`;
    default:
      return `operator: expected In, NotIn, Exists or DoesNotExist, found ${JSON.stringify(operator)}`;
  }
}

function labelProblem(labels: { readonly [key: string]: Json }): string | undefined {
  const untyped = Object.keys(labels).find((key) => typeof labels[key] !== 'string');
  if (untyped !== undefined) return `${untyped}: expected a string`;
  const [problem] = metadataProblems({ labels });
  return problem && `${problem.path.slice(1).join('.')}: ${problem.message}`;
}

function firstProblem<T>(items: readonly T[], check: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = check(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
