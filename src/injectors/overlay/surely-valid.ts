import {
  apiVersionOf,
  isDirective,
  isMinimum,
  type Json,
  kindType,
  metadataProblems,
  type Request,
  scalarProblem,
  typeAt,
} from '../../sdk/index.ts';

/** Where an overlay has an expression. */
export interface Place {
  /** They lead to the value, through the items of lists. */
  readonly fields: readonly string[];
  /** Whether any string is valid there, if a string is. */
  readonly takesAnyText: boolean;
}

/** The place that these keys of an overlay lead to, directives among them. */
export function placeAt(keys: readonly string[]): Place {
  const fields = keys.filter((key) => !isDirective(key));
  const [map, key = ''] = fields.slice(-2);
  const isUnsure =
    isMinimum(keys) ||
    map === 'labels' ||
    (map === 'annotations' && metadataProblems({ annotations: { [key]: '' } }).length > 0);
  return { fields, takesAnyText: !isUnsure };
}

/**
 * Whether the type of a field alone shows that a value is valid there. If not, the whole overlay has to be checked, which takes ten
 * times as long: a part may have wrong fields, and an amount may be more than the limit beside it.
 */
export function isSurelyValid(value: Json, { fields, takesAnyText }: Place, kind: Request['kind']): boolean {
  const root = kindType(apiVersionOf(kind), kind.kind);
  if (root === undefined) return true;
  const type = typeAt(root, fields);
  if (type === undefined || (typeof value === 'string' && !takesAnyText)) return false;
  switch (type.type) {
    case 'struct':
    case 'list':
    case 'map':
    case 'quantity':
      return false;
    default:
      return scalarProblem(value, type) === undefined;
  }
}
