import { type Func, metered } from '../func.ts';
import type { Meter } from '../meter.ts';
import type { Value } from '../values.ts';

/**
 * Defines a function and its variant with the prefix must. In Go the first panics and the second returns an error, which
 * is the same for a template.
 */
export function withMust(
  name: string,
  params: string,
  result: string,
  body: (meter: Meter, ...args: never[]) => Value,
): Record<string, Func> {
  return {
    [name]: metered(`${params} ${result}`, body),
    [mustName(name)]: metered(`${params} (${result}, error)`, body),
  };
}

export function mustName(name: string): string {
  return `must${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
