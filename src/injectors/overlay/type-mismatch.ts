import type { Type } from '../../cel/index.ts';
import type { FieldType } from '../../sdk/index.ts';

/**
 * Why no value of an expression's type fits a field; undefined if one may, as those of types that only show at run time. In place of an
 * item, an expression gives one or a list of several.
 */
export function typeMismatch(type: Type, field: FieldType, isItem: boolean): string | undefined {
  const wanted = isItem && field.type === 'list' && type.kind !== 'list' ? field.item : field;
  if (mayFit(type, wanted)) return undefined;
  // The whole expression is meant, from its beginning.
  return `1:1: must evaluate to ${wordsFor(wanted)} but got ${wordsOf(type)}`;
}

function mayFit(type: Type, field: FieldType): boolean {
  const [first, second] = type.parameters;
  switch (type.kind) {
    case 'int':
    case 'uint':
    case 'double':
      return TAKES_NUMBERS.has(field.type);
    case 'string':
    case 'bytes':
    case 'timestamp':
    case 'duration':
      return TAKES_TEXT.has(field.type);
    case 'bool':
      return field.type === 'boolean' || field.type === 'any';
    case 'list':
      if (field.type !== 'list') return field.type === 'any';
      return first === undefined || mayFit(first, field.item);
    case 'map':
      if (field.type !== 'map') return TAKES_MAPS.has(field.type);
      return second === undefined || mayFit(second, field.values);
    case 'struct':
      return TAKES_MAPS.has(field.type);
    default:
      return true;
  }
}

type FieldKind = FieldType['type'];

const TAKES_NUMBERS: ReadonlySet<FieldKind> = new Set([
  'any',
  'int32',
  'int64',
  'intOrString',
  'number',
  'port',
  'portOrName',
  'quantity',
] as const);
const TAKES_TEXT: ReadonlySet<FieldKind> = new Set([
  'any',
  'enum',
  'intOrString',
  'portOrName',
  'quantity',
  'string',
] as const);
const TAKES_MAPS: ReadonlySet<FieldKind> = new Set(['any', 'map', 'object', 'struct'] as const);

function wordsOf({ kind, name, parameters }: Type): string {
  if (kind === 'struct') return 'map';
  return parameters.length === 0 ? name : `${name}(${parameters.map(wordsOf).join(', ')})`;
}

/** In CEL's words. */
function wordsFor(field: FieldType): string {
  switch (field.type) {
    case 'list':
      return `list(${wordsFor(field.item)})`;
    case 'map':
      return `map(string, ${wordsFor(field.values)})`;
    case 'struct':
    case 'object':
      return 'map';
    case 'enum':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'intOrString':
    case 'portOrName':
    case 'quantity':
      return 'int or string';
    case 'int32':
    case 'int64':
    case 'port':
      return 'int';
    default:
      return field.type;
  }
}
