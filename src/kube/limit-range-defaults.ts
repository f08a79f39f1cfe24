import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { fillItems, fillMember } from './fill.ts';

/** A LimitRange with the API server's defaults: a container's limit is at most, and its request at least, the default. */
export function limitRangeDefaults(range: JsonObject): JsonObject {
  return fillMember(range, 'spec', (spec) => fillItems(spec, 'limits', itemDefaults));
}

function itemDefaults(item: JsonObject): JsonObject {
  if (item.type !== 'Container') return item;
  const limited = withMissing(item, 'default', item.max);
  const requested = withMissing(limited, 'defaultRequest', limited.default);
  return withMissing(requested, 'defaultRequest', item.min);
}

function withMissing(item: JsonObject, field: string, amounts: Json | undefined): JsonObject {
  if (!isJsonObject(amounts)) return item;
  const found = isJsonObject(item[field]) ? item[field] : {};
  const isComplete = Object.keys(amounts).every((resource) => Object.hasOwn(found, resource));
  return isComplete ? item : { ...item, [field]: { ...amounts, ...found } };
}
