/** Removes parts of a value for as long as it still fails, until no single removal does. */
export function shrink<T>(value: T, fails: (value: T) => boolean, most = 3000): T {
  let current = value;
  let attempts = 0;
  for (let isSmaller = true; isSmaller && attempts < most; ) {
    isSmaller = false;
    for (const candidate of smaller(current)) {
      if (++attempts > most) break;
      if (!fails(candidate as T)) continue;
      current = candidate as T;
      isSmaller = true;
      break;
    }
  }
  return current;
}

/** The value without one of its parts, in every way. */
export function* smaller(value: unknown): Generator<unknown> {
  if (typeof value === 'string') {
    if (value.length > 1) yield value.slice(0, value.length >> 1);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) yield value.toSpliced(at, 1);
    for (let at = 0; at < value.length; at++)
      for (const item of smaller(value[at])) yield value.with(at, item);
    return;
  }
  const entries = Object.entries(value);
  for (let at = 0; at < entries.length; at++) yield Object.fromEntries(entries.toSpliced(at, 1));
  for (const [at, [key, child]] of entries.entries())
    for (const item of smaller(child)) yield Object.fromEntries(entries.with(at, [key, item]));
}
