import {
  atLeast,
  isAtLeast,
  isForce,
  minimumOf,
  whenOf,
  withoutWhen,
  withWhen,
} from '../../graft/directive.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { fieldOf, hasField } from './cel-text.ts';
import { Inexpressible } from './inexpressible.ts';
import { type Translated, translated } from './translated.ts';
import { literal, valueText } from './value-text.ts';

/**
 * The `resources` of an overlay for an object that has some: a default request is lowered to the limit that is there, a default limit
 * raised to the request that is there.
 */
export function fittedResources(overlay: JsonObject, found: string): JsonObject {
  return {
    ...overlay,
    ...fitted(overlay, 'requests', 'limits', found),
    ...fitted(overlay, 'limits', 'requests', found),
  };
}

function fitted(
  overlay: JsonObject,
  field: 'requests' | 'limits',
  other: 'requests' | 'limits',
  found: string,
): JsonObject {
  const map = mapAt(overlay, field);
  const wanted = withoutWhen(map);
  if (isForce(wanted)) return {};
  const rivals = mapAt(overlay, other);
  const amounts = Object.fromEntries(
    Object.entries(wanted).map(([name, wish]) => {
      const rival = rivals[name] ?? null;
      if (isAtLeast(rival) || isForce(rival) || (isAtLeast(wish) && rival !== null)) {
        throw new Inexpressible(`"$atLeast" or "$force" in both requests and limits of "${name}"`);
      }
      if (isForce(wish)) return [name, wish];
      if (isAtLeast(wish)) return [name, atLeast(amount(minimumOf(wish), name, field, other, found))];
      return [name, amount(wish, name, field, other, found)];
    }),
  ) as JsonObject;
  return Object.keys(amounts).length === 0 ? {} : { [field]: withWhen(whenOf(map), amounts) };
}

function mapAt(overlay: JsonObject, field: string): JsonObject {
  const value = overlay[field] ?? null;
  return isJsonObject(value) ? value : {};
}

function amount(wish: Json, name: string, field: string, other: string, found: string): Translated {
  if (valueText(wish).isOptional) {
    throw new Inexpressible(`"resources.${field}.${name}" has a condition, or may have no value`);
  }
  const limits = `${found}.${other}`;
  const limit = `string(${fieldOf(limits, name)})`;
  const wanted = `quantity(string(${literal(wish)}))`;
  const isBeyond = field === 'requests' ? 'isGreaterThan' : 'isLessThan';
  const condition = `has(${limits}) && ${hasField(limits, name)} && ${wanted}.${isBeyond}(quantity(${limit}))`;
  const text = `(${condition} ? ${limit} : string(${literal(wish)}))`;
  return translated(text, { type: 'expression', text });
}
