import { cacheByObject, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../../sdk/index.ts';
import { containersOf, mapContainers } from '../pod-json.ts';
import { type GoField, goType, type StructName } from '../pod-types/go-type.ts';

/**
 * A rendered template without fields of containers that Go omits, such as `periodSeconds: 0`. The first injection did not set
 * them, and the API server may have filled them in since.
 */
export const withoutZeros = cacheByObject((document: JsonObject): JsonObject => {
  const isEmpty = (field: 'containers' | 'initContainers') => containersOf(document, field).length === 0;
  if (isEmpty('containers') && isEmpty('initContainers')) return document;
  return mapContainers(document, (container) => withoutZeroFields(container, 'Container'));
});

function withoutZeroFields(value: JsonObject, name: StructName): JsonObject {
  const { fields } = goType(name);
  let next: Record<string, Json> | undefined;
  for (const key of Object.keys(value)) {
    const field = fields.get(key);
    const child = value[key] as Json;
    const kept = field === undefined ? child : keptValue(child, field);
    if (kept === child) continue;
    next ??= { ...value };
    if (kept === undefined) delete next[key];
    else next[key] = kept;
  }
  return next ?? value;
}

function keptValue(value: Json, { kind, struct, isAlwaysWritten }: GoField): Json | undefined {
  if (struct !== undefined) {
    const change = (item: Json) => (isJsonObject(item) ? withoutZeroFields(item, struct.name) : item);
    if (!isJsonArray(value)) return change(value);
    const items = value.map(change);
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  const isOmitted =
    !isAlwaysWritten && kind !== 'pointer' && (value === 0 || value === '' || value === false);
  return isOmitted ? undefined : value;
}
