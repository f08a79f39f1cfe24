import { isAbsent, isForce, namePatternOf, whenOf, withoutWhen, withWhen } from '../../graft/directive.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { quoted } from './cel-text.ts';
import { translated } from './translated.ts';
import { literal } from './value-text.ts';

/** The lists of a Pod's spec whose items have resources. */
export const CONTAINER_LISTS: readonly string[] = ['containers', 'initContainers'];

/**
 * The `resources` of an overlay for a container: each default amount has the condition that the Pod does not set the resource for
 * all its containers. `spec` is a CEL expression of the Pod's spec.
 */
export function unsharedResources(
  resources: JsonObject,
  spec: string,
  isForced = (_field: string, _resource: string) => false,
): JsonObject {
  return mapped(resources, (amounts, field) => {
    const isMap = isJsonObject(amounts) && !isForce(amounts) && !isAbsent(amounts);
    if (!isMap || (field !== 'requests' && field !== 'limits')) return amounts;
    const changed = mapped(withoutWhen(amounts), (wish, resource) => {
      const isDefault = wish !== null && !isForce(wish) && !isAbsent(wish) && !isForced(field, resource);
      return isDefault ? unshared(wish, resource, spec) : wish;
    });
    return withWhen(whenOf(amounts), changed);
  });
}

function mapped(object: JsonObject, change: (value: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function unshared(wish: Json, resource: string, spec: string): Json {
  const [requests, limits] = ['requests', 'limits'].map(
    (field) => `${spec}.?resources.?${field}[?${quoted(resource)}].hasValue()`,
  );
  const isUnshared = `!(${requests} || ${limits})`;
  const when = whenOf(wish);
  const content = isJsonObject(wish)
    ? withoutWhen(wish)
    : translated(literal(wish), { type: 'constant', value: wish });
  return withWhen(when === undefined ? isUnshared : `(${when}) && ${isUnshared}`, content);
}

/** The same for a container that is added. `items` are those of the overlay from which its value was made. */
export function unsharedContainer(container: Json, items: readonly Json[], spec: string): Json {
  const { name, resources = null } = isJsonObject(container) ? container : {};
  if (!isJsonObject(container) || !isJsonObject(resources)) return container;
  const own = items
    .filter(isJsonObject)
    .filter((item) => item.name === name || namePatternOf(item) !== undefined);
  const isForced = (...path: readonly string[]) =>
    own.some((item) => isForcedAt(item.resources ?? null, path));
  return { ...container, resources: unsharedResources(resources, spec, isForced) };
}

function isForcedAt(wish: Json, [key, ...rest]: readonly string[]): boolean {
  if (isForce(wish)) return true;
  return key !== undefined && isJsonObject(wish) && isForcedAt(wish[key] ?? null, rest);
}

/** The paths of the Pod's own resources, on which the resources of containers in an overlay depend. */
export function sharedReads(value: Json, path: readonly string[] = []): readonly (readonly string[])[] {
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => {
    if (!isJsonArray(part)) return sharedReads(part, [...path, key]);
    const hasResources = part.some((item) => isJsonObject(item) && item.resources !== undefined);
    return CONTAINER_LISTS.includes(key) && hasResources ? [[...path, 'resources']] : [];
  });
}
