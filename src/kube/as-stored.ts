import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { asJson, type KubeObject } from './kube-object.ts';

/**
 * An object from a file as the API server would store it: without keys that have no value, which charts often render. Null items
 * of lists stay, since removing them would shift the others.
 */
export function asStored(object: KubeObject): KubeObject {
  return withoutNullMembers(asJson(object)) as unknown as KubeObject;
}

function withoutNullMembers(value: Json): Json {
  if (isJsonArray(value)) return value.map(withoutNullMembers);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== null);
  return Object.fromEntries(entries.map(([key, part]) => [key, withoutNullMembers(part)]));
}
