import { isOnlyOfTypes, objectTypes } from '../../policy/index.ts';
import {
  type ConfigIssue,
  type KubeObject,
  METADATA,
  type ResourceRef,
  type Struct,
  typeAt,
} from '../../sdk/index.ts';
import { compileExpressions, type ExpressionSource, type KnownTypes } from './expressions.ts';
import { typeMismatch } from './type-mismatch.ts';

/** Mistakes in expressions that the types of the matched kinds show: misspelt fields, values that their fields cannot have. */
export function typeIssues(
  source: ExpressionSource,
  kinds: readonly (ResourceRef | '*')[],
  definitions: readonly KubeObject[],
): ConfigIssue[] {
  return kinds.flatMap((kind) => {
    const issues: ConfigIssue[] = [];
    compileExpressions(source, (issue) => issues.push(issue), knownTypes(kind, definitions));
    const suffix = kind === '*' ? '' : ` (for ${kind.kind})`;
    return issues
      .filter(({ message }) => !isOnlyOfTypes(message))
      .map(({ path, message }) => ({ path, message: `${message}${suffix}` }));
  });
}

function knownTypes(kind: ResourceRef | '*', definitions: readonly KubeObject[]): KnownTypes {
  const types = objectTypes(kind, definitions);
  const root = types?.root ?? ANY_KIND;
  return {
    ...types,
    mismatch({ fields, isItem }, type) {
      const field = typeAt(root, fields);
      return field && typeMismatch(type, field, isItem);
    },
  };
}

/** All kinds have metadata. */
const ANY_KIND: Struct = { type: 'struct', name: '*', fields: new Map([['metadata', METADATA]]) };
