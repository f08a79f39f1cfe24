import { isZero } from '../../graft/covers.ts';
import { whenOf } from '../../graft/directive.ts';
import { fieldShape, itemShape, type Shape } from '../../graft/shape.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { fieldOf, hasField } from './cel-text.ts';
import { Inexpressible } from './inexpressible.ts';
import { isTranslated } from './translated.ts';
import { literal, valueText, withoutCondition } from './value-text.ts';

/** A condition: the value, which exists, already has everything that is wanted. Ignores defaults and differences of spelling. */
export function coversText(found: string, wanted: Json, shape: Shape): string {
  const { text, isOptional } = valueText(wanted);
  if (isOptional && isJsonArray(wanted))
    throw new Inexpressible('conditions in a list that is set as a whole');
  if (isOptional) return `(!${text}.hasValue() || ${coversCertain(found, wanted, shape)})`;
  return coversCertain(found, wanted, shape);
}

function coversCertain(found: string, wanted: Json, shape: Shape): string {
  if (isJsonArray(wanted)) {
    if (wanted.some((item) => valueText(item).isOptional))
      throw new Inexpressible('conditions in a list that is set as a whole');
    const items = wanted.map((item, index) => coversText(`${found}[${index}]`, item, itemShape(shape)));
    return all([`size(${found}) == ${wanted.length}`, ...items]);
  }
  if (isJsonObject(wanted)) {
    if (whenOf(wanted) !== undefined) return coversCertain(found, withoutCondition(wanted), shape);
    if (!isTranslated(wanted))
      return all(Object.keys(wanted).map((key) => coversMember(found, key, wanted, shape)));
  }
  return equalText(found, literal(wanted), shape);
}

function coversMember(found: string, key: string, object: JsonObject, shape: Shape): string {
  const wanted = object[key] as Json;
  const inner = fieldShape(shape, key);
  const has = hasField(found, key);
  const { text, isOptional } = valueText(wanted);
  const bare = isJsonObject(wanted) && whenOf(wanted) !== undefined ? withoutCondition(wanted) : wanted;
  const covers = coversCertain(fieldOf(found, key), bare, inner);
  const present = isTranslated(bare)
    ? `(${has} ? ${covers} : ${literal(bare)} in [dyn(''), dyn(0), dyn(false)])`
    : isZero(bare)
      ? `(!(${has}) || ${covers})`
      : all([has, covers]);
  return isOptional ? `(!${text}.hasValue() || (${present}))` : present;
}

/** Whether two scalars are the same value. */
export function equalText(found: string, wanted: string, shape: Shape): string {
  if (shape.type === 'quantity') return `quantity(string(${found})) == quantity(string(${wanted}))`;
  return `${found} == ${wanted}`;
}

export function all(conditions: readonly string[]): string {
  const relevant = conditions.filter((condition) => condition !== 'true');
  return relevant.length === 0 ? 'true' : relevant.join(' && ');
}
