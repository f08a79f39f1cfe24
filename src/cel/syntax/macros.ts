import type { Expression, Fold } from './ast.ts';
import type { Cursor } from './cursor.ts';

/** A call of a function by name, or the expansion of the macro of that name. */
export function expandCall(
  cursor: Cursor,
  at: number,
  name: string,
  args: readonly Expression[],
): Expression {
  const [argument] = args;
  if (name !== 'has' || argument === undefined || args.length > 1) {
    return { kind: 'call', at, name, target: undefined, args };
  }
  if (argument.kind !== 'select' || argument.mode !== 'value') {
    return cursor.report(argument.at, 'invalid argument to has() macro');
  }
  return { ...argument, at, mode: 'presence' };
}

/** A call of a method, or the expansion of the macro of that name. */
export function expandMethod(
  cursor: Cursor,
  at: number,
  name: string,
  target: Expression,
  args: readonly Expression[],
): Expression {
  const macro = MACROS.get(`${name}/${args.length}`);
  return macro?.(cursor, at, target, args) ?? { kind: 'call', at, name, target, args };
}

type Macro = (
  cursor: Cursor,
  at: number,
  target: Expression,
  args: readonly Expression[],
) => Expression | undefined;

const SIMPLE_NAME = 'argument must be a simple name';
const IDENTIFIER = 'argument is not an identifier';

const MACROS: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['all/2', fold('all', { complaint: SIMPLE_NAME })],
  ['exists/2', fold('exists', { complaint: SIMPLE_NAME })],
  ['exists_one/2', fold('one', { complaint: SIMPLE_NAME })],
  ['map/2', fold('list', { complaint: IDENTIFIER })],
  ['map/3', fold('list', { complaint: IDENTIFIER, filtered: true })],
  ['filter/2', expandFilter],
  ['all/3', fold('all', { complaint: SIMPLE_NAME, two: true })],
  ['exists/3', fold('exists', { complaint: SIMPLE_NAME, two: true })],
  ['existsOne/3', fold('one', { complaint: SIMPLE_NAME, two: true })],
  ['exists_one/3', fold('one', { complaint: SIMPLE_NAME, two: true })],
  ['transformList/3', fold('list', { complaint: SIMPLE_NAME, two: true })],
  ['transformList/4', fold('list', { complaint: SIMPLE_NAME, two: true, filtered: true })],
  ['transformMap/3', fold('map', { complaint: SIMPLE_NAME, two: true })],
  ['transformMap/4', fold('map', { complaint: SIMPLE_NAME, two: true, filtered: true })],
  ['transformMapEntry/3', fold('entries', { complaint: SIMPLE_NAME, two: true })],
  ['transformMapEntry/4', fold('entries', { complaint: SIMPLE_NAME, two: true, filtered: true })],
  ['optMap/2', optionalMap('optMap', false)],
  ['optFlatMap/2', optionalMap('optFlatMap', true)],
  ['sortBy/2', expandSortBy],
]);

interface FoldOptions {
  /** The problem with an argument that should be the name of a variable. */
  readonly complaint: string;
  readonly two?: boolean;
  readonly filtered?: boolean;
}

function fold(shape: Fold['shape'], { complaint, two = false, filtered = false }: FoldOptions): Macro {
  return (cursor, at, range, args) => {
    const names = two ? args.slice(0, 2) : args.slice(0, 1);
    const variables: string[] = [];
    for (const name of names) {
      if (name.kind !== 'name') return cursor.report(name.at, complaint);
      variables.push(name.name);
    }
    const [variable = '', variable2] = variables;
    if (variable === variable2) {
      return cursor.report(names[1]?.at ?? at, `duplicate variable name: ${variable}`);
    }
    const hidden = variables.indexOf(ACCUMULATOR);
    if (hidden >= 0) {
      return cursor.report(names[hidden]?.at ?? at, 'iteration variable overwrites accumulator variable');
    }
    const rest = args.slice(names.length);
    const filter = filtered ? rest[0] : undefined;
    const body = filtered ? rest[1] : rest[0];
    if (body === undefined) return undefined;
    return { kind: 'fold', at, shape, range, variable, variable2, filter, body };
  };
}

function expandFilter(cursor: Cursor, at: number, target: Expression, args: readonly Expression[]) {
  const [variable, predicate] = args;
  if (variable === undefined || predicate === undefined) return undefined;
  return fold('list', { complaint: IDENTIFIER, filtered: true })(cursor, at, target, [
    variable,
    predicate,
    variable,
  ]);
}

function optionalMap(name: string, flat: boolean): Macro {
  return (cursor, at, target, [variable, body]) => {
    if (variable?.kind !== 'name') {
      return cursor.report(variable?.at ?? at, `${name}() variable name must be a simple identifier`);
    }
    return body && { kind: 'optionalMap', at, target, variable: variable.name, body, flat };
  };
}

/** Sorts the list by the list of keys that `map` derives from it. */
function expandSortBy(cursor: Cursor, at: number, target: Expression, args: readonly Expression[]) {
  if (!SORTABLE.has(target.kind)) {
    return cursor.report(
      target.at,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    );
  }
  const variable = '@__sortBy_input__';
  const input: Expression = { kind: 'name', at, name: variable };
  const keys = fold('list', { complaint: IDENTIFIER })(cursor, at, input, args);
  if (keys?.kind !== 'fold') return keys;
  const body: Expression = { kind: 'call', at, name: '@sortByAssociatedKeys', target: input, args: [keys] };
  return { kind: 'bind', at, variable, value: target, body } as const;
}

const SORTABLE: ReadonlySet<Expression['kind']> = new Set([
  'list',
  'name',
  'select',
  'index',
  'call',
  'logic',
  'fold',
  'optionalMap',
  'bind',
]);

/** The name of the accumulator in cel-go's expansion, which no variable may have. */
const ACCUMULATOR = '__result__';
