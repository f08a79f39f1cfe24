import type { ConfigIssue, ResourceRef } from '../../sdk/index.ts';
import { compileExpressions, type ExpressionSource } from './expressions.ts';
import { knownTypesOf } from './known-types.ts';

/** Mistakes in expressions that the types of the matched kinds show, such as a misspelt field. */
export function typeIssues(source: ExpressionSource, kinds: readonly (ResourceRef | '*')[]): ConfigIssue[] {
  return kinds.flatMap((kind) => {
    const known = knownTypesOf(kind);
    if (known === undefined || kind === '*') return [];
    const issues: ConfigIssue[] = [];
    compileExpressions(source, (issue) => issues.push(issue), known);
    return issues
      .filter(({ message }) => !isComparisonWithNull(message))
      .map(({ path, message }) => ({ path, message: `${message} (for ${kind.kind})` }));
  });
}

/** At run time `object` has no types, and a field may be null there whatever its type. */
export function isComparisonWithNull(message: string): boolean {
  return message.includes('found no matching overload') && message.includes('null');
}
