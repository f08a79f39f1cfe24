import type { Expression } from '../../cel/syntax/ast.ts';
import { parse } from '../../cel/syntax/parser.ts';

/** A place that an expression looks at: the fields that lead to it, through the items of lists. */
export interface Read {
  readonly path: readonly string[];
  /** Whether it is a field of one item, and not of the whole list. */
  readonly isOfItem: boolean;
}

/**
 * The places of the object that an expression looks at. `itemOf` leads to the list whose item is `item`; `variables` are expressions by
 * name. An expression that does not parse reads nothing.
 */
export function expressionReads(
  expression: string,
  variables: Readonly<Record<string, string>> = {},
  itemOf: readonly string[] = [],
): readonly Read[] {
  const reads: Read[] = [];
  const seen = new Set<string>();
  read(expression);
  return reads;

  function read(text: string): void {
    for (const { root, path } of placesIn(text)) {
      if (root === 'object') reads.push({ path, isOfItem: false });
      if (root === 'item') reads.push({ path: [...itemOf, ...path], isOfItem: true });
      const [name = ''] = path;
      if (root === 'variables' && !seen.has(name)) {
        seen.add(name);
        read(variables[name] ?? '');
      }
    }
  }
}

/** The fields of `params` that an expression looks at. */
export function paramsFields(expression: string): readonly string[] {
  return [...placesIn(expression)].flatMap(({ root, path }) => (root === 'params' ? path.slice(0, 1) : []));
}

function* placesIn(text: string): Generator<Place> {
  const parsed = parse(text);
  if (!('issues' in parsed)) yield* placesBelow(parsed.expression, new Set());
}

function* placesBelow(node: Expression, bound: ReadonlySet<string>): Generator<Place> {
  const place = placeOf(node, bound);
  if (place !== undefined) yield place;
  for (const [child, names] of childrenOf(node)) {
    yield* placesBelow(child, names.length === 0 ? bound : new Set([...bound, ...names]));
  }
}

interface Place {
  readonly root: string;
  readonly path: readonly string[];
}

/** A chain of fields from a variable; undefined for other expressions. What an index computes is any item. */
function placeOf(node: Expression, bound: ReadonlySet<string>): Place | undefined {
  if (node.kind === 'name') return bound.has(node.name) ? undefined : { root: node.name, path: [] };
  if (node.kind !== 'select' && node.kind !== 'index') return undefined;
  const place = placeOf(node.operand, bound);
  if (place === undefined) return undefined;
  if (node.kind === 'select') return { ...place, path: [...place.path, node.field] };
  const { index } = node;
  const isField = index.kind === 'literal' && typeof index.value === 'string';
  return isField ? { ...place, path: [...place.path, String(index.value)] } : undefined;
}

type Child = readonly [Expression, readonly string[]];

/** The parts of an expression, each with the variables that are bound in it. A chain's start is not reported separately. */
function childrenOf(node: Expression): readonly Child[] {
  const free = (nodes: readonly (Expression | undefined)[]) =>
    nodes.filter((each) => each !== undefined).map((each): Child => [each, []]);
  switch (node.kind) {
    case 'literal':
    case 'name':
      return [];
    case 'select':
      return isChain(node.operand) ? childrenOf(node.operand) : free([node.operand]);
    case 'index': {
      const isField = node.index.kind === 'literal' && typeof node.index.value === 'string';
      return isField && isChain(node.operand) ? childrenOf(node.operand) : free([node.operand, node.index]);
    }
    case 'call':
      return free([node.target, ...node.args]);
    case 'logic':
      return free(node.terms);
    case 'list':
      return free(node.elements.map(({ value }) => value));
    case 'map':
      return free(node.entries.flatMap(({ key, value }) => [key, value]));
    case 'struct':
      return free(node.fields.map(({ value }) => value));
    case 'fold': {
      const names = [node.variable, ...(node.variable2 === undefined ? [] : [node.variable2])];
      const inner = [node.filter, node.body].filter((each) => each !== undefined);
      return [[node.range, []], ...inner.map((each): Child => [each, names])];
    }
    case 'optionalMap':
      return [
        [node.target, []],
        [node.body, [node.variable]],
      ];
    case 'bind':
      return [
        [node.value, []],
        [node.body, [node.variable]],
      ];
  }
}

function isChain(node: Expression): boolean {
  return node.kind === 'select' || node.kind === 'index' || node.kind === 'name';
}
