import { InvalidArgumentError, Option } from 'commander';
import { millisecondsOf } from './duration.ts';

/* Values of options: each function parses and checks one kind. */

export function choice(
  flags: string,
  description: string,
  values: readonly string[],
  defaultValue = values[0],
): Option {
  return new Option(flags, description).choices(values).default(defaultValue);
}

export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

export function number(min: number, max: number): (value: string) => number {
  return (value) => {
    const parsed = Number(value);
    if (Number.isInteger(parsed) && parsed >= min && parsed <= max) return parsed;
    throw new InvalidArgumentError(`Expected an integer from ${min} to ${max}.`);
  };
}

/** Checked here, and kept as it is: the manifests pass it on to the server. */
export function duration(value: string): string {
  if (millisecondsOf(value) !== undefined) return value;
  throw new InvalidArgumentError('Expected a time like 90s, 15m or 1h, from ten seconds to a day.');
}

export function names(value: string): string[] {
  const found = value.split(',').map((part) => part.trim());
  if (found.every(isName)) return found;
  throw new InvalidArgumentError('Expected comma-separated names of namespaces.');
}

export function name(value: string): string {
  if (isName(value)) return value;
  throw new InvalidArgumentError('Expected at most 63 lower-case letters, digits and "-".');
}

/** An RFC 1123 label, as for Services and namespaces. */
function isName(value: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(value);
}

/** Webhooks allow only HTTPS, without user, query or fragment. */
export function httpsUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url?.protocol === 'https:' && !url.search && !url.hash && !url.username) return value;
  throw new InvalidArgumentError('Expected a URL like https://host:port.');
}
