import { spendWork } from '../work.ts';
import { CelMap } from './cel-map.ts';
import { Special } from './values.ts';

export type PlainMap = Readonly<Record<string, unknown>>;

export function isPlainMap(value: unknown): value is PlainMap {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Special) &&
    !(value instanceof Uint8Array)
  );
}

export function isMap(value: unknown): value is PlainMap | CelMap {
  return isPlainMap(value) || value instanceof CelMap;
}

/**
 * Whether an expression made the map. Kubernetes treats such maps differently from those of the object in one place: the
 * items of a list in an apply configuration.
 */
export function isConstructedMap(value: unknown): boolean {
  return value instanceof CelMap || (isPlainMap(value) && Object.getPrototypeOf(value) === null);
}

/** The value under a key; undefined if there is none. Keys of JavaScript's own objects are ordinary keys. */
export function lookUp(map: PlainMap | CelMap, key: unknown): unknown {
  if (map instanceof CelMap) return map.find(key);
  return typeof key === 'string' ? ownMember(map, key) : undefined;
}

/** One lookup instead of two: a map inherits only functions, which are not CEL values, and `__proto__`. */
export function ownMember(map: PlainMap, key: string): unknown {
  if (key === '__proto__') return Object.hasOwn(map, key) ? map[key] : undefined;
  const value = map[key];
  return typeof value === 'function' ? undefined : value;
}

export function sizeOfMap(map: PlainMap | CelMap): number {
  return map instanceof CelMap ? map.size : keysOf(map).length;
}

export function* entriesOf(map: PlainMap | CelMap): Generator<readonly [unknown, unknown]> {
  if (map instanceof CelMap) yield* map;
  else for (const key of plainKeys(map)) if (map[key] !== undefined) yield [key, map[key]];
}

export function keysOf(map: PlainMap | CelMap): unknown[] {
  return map instanceof CelMap ? Array.from(map, ([key]) => key) : plainKeys(map);
}

export function plainKeys(map: PlainMap): string[] {
  const keys = Object.keys(map);
  spendWork(8 * keys.length);
  return keys;
}

/** Builds a map: a plain object as long as all keys are strings. */
export class MapBuilder {
  private plain: Record<string, unknown> | undefined = Object.create(null);
  private general: CelMap | undefined;

  get(key: unknown): unknown {
    return lookUp(this.map, key);
  }

  set(key: unknown, value: unknown): void {
    if (this.plain !== undefined && typeof key === 'string') this.plain[key] = value;
    else this.generalise().set(key, value);
  }

  delete(key: unknown): void {
    if (this.general !== undefined) this.general.delete(key);
    else if (this.plain !== undefined && typeof key === 'string') delete this.plain[key];
  }

  get map(): PlainMap | CelMap {
    return this.general ?? this.plain ?? {};
  }

  private generalise(): CelMap {
    if (this.general !== undefined) return this.general;
    const general = new CelMap();
    for (const [key, value] of Object.entries(this.plain ?? {})) general.set(key, value);
    this.plain = undefined;
    this.general = general;
    return general;
  }
}
