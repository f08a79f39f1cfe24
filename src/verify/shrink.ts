import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { parsePointer } from '../json/pointer.ts';

/** More are not tried: each costs several calls. */
const MOST_ATTEMPTS = 300;
/** Enough for a fast server; a cap for slow servers. */
const MOST_MS = 60_000;

/**
 * The smallest object for which something still holds, by leaving out one member or item after another, large ones first. It stays an
 * object with a name.
 */
export async function shrink(
  object: JsonObject,
  holds: (object: JsonObject) => Promise<boolean>,
): Promise<JsonObject> {
  let smallest = object;
  let attempts = 0;
  const end = performance.now() + MOST_MS;
  for (let isShrinking = true; isShrinking; ) {
    isShrinking = false;
    for (const pointer of removable(smallest, '')) {
      if (attempts++ >= MOST_ATTEMPTS || performance.now() > end) return smallest;
      const candidate = without(smallest, parsePointer(pointer)) as JsonObject;
      if (!(await holds(candidate))) continue;
      smallest = candidate;
      isShrinking = true;
      // Indices have moved.
      break;
    }
  }
  return smallest;
}

const NEEDED = new Set(['/apiVersion', '/kind', '/metadata', '/metadata/name']);

/** Outer parts before inner ones, the largest first, so that few attempts leave out much. */
function removable(object: JsonObject, at: string): string[] {
  const found: { pointer: string; size: number }[] = [];
  collect(object, at);
  return found.toSorted((one, other) => other.size - one.size).map(({ pointer }) => pointer);

  function collect(value: Json, path: string): void {
    const entries = isJsonArray(value)
      ? [...value.entries()]
      : isJsonObject(value)
        ? Object.entries(value)
        : [];
    for (const [key, child] of entries) {
      const pointer = `${path}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (!NEEDED.has(pointer)) found.push({ pointer, size: JSON.stringify(child).length });
      collect(child as Json, pointer);
    }
  }
}

function without(value: Json, [head, ...rest]: readonly string[]): Json {
  if (isJsonArray(value)) {
    const index = Number(head);
    return rest.length === 0
      ? value.filter((_, at) => at !== index)
      : value.map((item, at) => (at === index ? without(item, rest) : item));
  }
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, child]) => {
      if (key !== head) return [[key, child]];
      return rest.length === 0 ? [] : [[key, without(child, rest)]];
    }),
  );
}
