import type { ConfigIssue, KubeObject, ResourceRef } from '../../sdk/index.ts';
import { compileExpressions, type ExpressionSource } from './expressions.ts';
import { knownTypesOf, PREFIX } from './known-types.ts';

/** Mistakes in expressions that the types of the matched kinds show: misspelt fields, values that their fields cannot have. */
export function typeIssues(
  source: ExpressionSource,
  kinds: readonly (ResourceRef | '*')[],
  definitions: readonly KubeObject[],
): ConfigIssue[] {
  return kinds.flatMap((kind) => {
    const issues: ConfigIssue[] = [];
    compileExpressions(source, (issue) => issues.push(issue), knownTypesOf(kind, definitions));
    const suffix = kind === '*' ? '' : ` (for ${kind.kind})`;
    return issues
      .filter(({ message }) => !isOnlyOfTypes(message))
      .map(({ path, message }) => ({ path, message: `${message}${suffix}` }));
  });
}

/**
 * At run time `object` has no types: a field may be null there whatever its type, and what is a struct here is a map, which has keys, can
 * be compared with `{}`, and can stand beside it.
 */
export function isOnlyOfTypes(message: string): boolean {
  return (message.includes('found no matching overload') && message.includes('null')) || STRUCT.test(message);
}

/** Items of lists aside. */
const STRUCT = new RegExp(`(?<!list\\()${PREFIX.replaceAll('.', '\\.')}`);
