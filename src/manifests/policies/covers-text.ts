import { isImplied } from '../../graft/covers.ts';
import { fieldShape, itemShape, type Shape } from '../../graft/shape.ts';
import { isJsonArray, isJsonObject, type Json } from '../../json/json.ts';
import { fieldOf, hasField, literal } from './cel-text.ts';

/** A condition: the value, which exists, already has everything that is wanted. Defaults and other spellings are no difference. */
export function coversText(found: string, wanted: Json, shape: Shape): string {
  if (isJsonArray(wanted)) {
    const items = wanted.map((item, index) => coversText(`${found}[${index}]`, item, itemShape(shape)));
    return all([`size(${found}) == ${wanted.length}`, ...items]);
  }
  if (isJsonObject(wanted) && wanted.$expression === undefined) {
    return all(
      Object.entries(wanted).map(([key, value]) => {
        const inner = fieldShape(shape, key);
        const has = hasField(found, key);
        const covers = coversText(fieldOf(found, key), value, inner);
        const isOptional = isImplied(value, inner) || isZero(value);
        return isOptional ? `(!(${has}) || ${covers})` : all([has, covers]);
      }),
    );
  }
  if (shape.type === 'quantity') return `quantity(string(${found})) == quantity(string(${literal(wanted)}))`;
  return `${found} == ${literal(wanted)}`;
}

export function all(conditions: readonly string[]): string {
  const relevant = conditions.filter((condition) => condition !== 'true');
  return relevant.length === 0 ? 'true' : relevant.join(' && ');
}

/** Go's `omitempty` drops these. */
function isZero(value: Json): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === '' || value === false || value === 0;
}
