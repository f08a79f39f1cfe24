import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';

const NO_MEMBERS: JsonObject = Object.freeze({});
const NO_ITEMS: readonly Json[] = Object.freeze([]);

/** Empty if it is not a map. */
export function membersOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : NO_MEMBERS;
}

/** Empty if it is not a list. */
export function itemsOf(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : NO_ITEMS;
}
