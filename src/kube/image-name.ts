import type { Json } from '../json/json.ts';

/** `Always` for the tag `latest` and for images without tag and digest, else `IfNotPresent`, also for invalid names. */
export function defaultPullPolicy(image: Json | undefined): 'Always' | 'IfNotPresent' {
  return typeof image === 'string' && tagOf(image) === 'latest' ? 'Always' : 'IfNotPresent';
}

/** The tag of an image: `latest` if it has neither tag nor digest; undefined if there is none, or the name is invalid. */
function tagOf(image: string): string | undefined {
  const at = image.indexOf('@');
  const named = at < 0 ? image : image.slice(0, at);
  const slash = named.lastIndexOf('/');
  const colon = named.indexOf(':', slash + 1);
  const name = colon < 0 ? named : named.slice(0, colon);
  if (!isName(name)) return undefined;
  if (colon >= 0) return named.slice(colon + 1);
  return at < 0 ? 'latest' : undefined;
}

/** The first part may be a host with a port; the others are in lower case. */
function isName(name: string): boolean {
  const parts = name.split('/');
  const [first = ''] = parts;
  const hasHost = parts.length > 1 && (/[.:A-Z]/.test(first) || first === 'localhost');
  const path = hasHost ? parts.slice(1) : parts;
  return path.every((part) => /^[a-z0-9]([a-z0-9._-]*[a-z0-9])?$/.test(part));
}
