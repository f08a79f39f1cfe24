import type { Expression } from './ast.ts';
import { MAX_DEPTH, SyntaxFailure } from './cursor.ts';

/**
 * Limits how deep operators, selections and methods are nested, as cel-go does. Parentheses, lists and arguments are
 * limited by the parser. Together they bound every recursion over the tree.
 */
export function checkDepth(expression: Expression): void {
  depthOf(expression, 0);
}

function depthOf(expression: Expression, depth: number): void {
  if (depth > MAX_DEPTH) throw new SyntaxFailure({ at: undefined, text: 'max recursion depth exceeded' });
  const deeper = COUNTED.has(expression.kind) || isCountedCall(expression) ? depth + 1 : depth;
  for (const child of childrenOf(expression)) depthOf(child, deeper);
}

const COUNTED: ReadonlySet<Expression['kind']> = new Set(['select', 'index', 'fold', 'optionalMap', 'bind']);

function isCountedCall(expression: Expression): boolean {
  if (expression.kind !== 'call') return false;
  return expression.target !== undefined || expression.name.startsWith('_') || expression.name === '@in';
}

/** The direct parts of an expression, in the order of evaluation. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'select':
      return [expression.operand];
    case 'index':
      return [expression.operand, expression.index];
    case 'call':
      return expression.target === undefined ? expression.args : [expression.target, ...expression.args];
    case 'logic':
      return expression.terms;
    case 'list':
      return expression.elements.map(({ value }) => value);
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expression.fields.map(({ value }) => value);
    case 'fold': {
      const { range, filter, body } = expression;
      return filter === undefined ? [range, body] : [range, filter, body];
    }
    case 'optionalMap':
      return [expression.target, expression.body];
    case 'bind':
      return [expression.value, expression.body];
  }
}
