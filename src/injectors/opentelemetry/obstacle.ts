import { type Env, lastOf } from './env-plan.ts';

/**
 * Why variables cannot be lengthened: what comes by `valueFrom`, from the container or else from the Instrumentation, is not known
 * here, and a value beside it would make the Pod invalid.
 */
export function obstacle(
  found: readonly Env[],
  names: readonly string[],
  planned: readonly Env[],
): string | undefined {
  for (const name of names) {
    const own = lastOf(found, name);
    if (own?.valueFrom !== undefined) return `${name} comes by valueFrom: give it a value`;
    // Of what is planned the first counts: once it is there, none of that name is added.
    const first = planned.find((entry) => entry.name === name);
    if (own === undefined && first?.valueFrom !== undefined) {
      return `the Instrumentation sets ${name} by valueFrom: give it a value there`;
    }
  }
  return undefined;
}

/** Appends a part with what separates it, unless it is there. */
export function withPart(text: string, part: string, separator: string): string {
  return text.split(separator).includes(part) ? text : text === '' ? part : `${text}${separator}${part}`;
}
