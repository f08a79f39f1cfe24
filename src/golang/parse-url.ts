import { parseIp } from './parse-ip.ts';
import { quote } from './strconv.ts';
import { escapeUrl, isEscaped, type UrlPart, unescapeUrl } from './url-escapes.ts';
import { fromBytes, toBytes } from './utf8.ts';

/** A parsed URL, in bytes: escapes need not make up valid UTF-8. */
export interface UrlParts {
  readonly scheme: string;
  /** What follows the scheme, if it does not begin with a slash. */
  readonly opaque?: string;
  /** As it was written, and empty if there is none. */
  readonly user?: string;
  readonly host: string;
  readonly hasAuthority: boolean;
  readonly path: string;
  readonly query: string | undefined;
}

/** Go's url.Parse, or url.ParseRequestURI, without the fragment; a message if the URL is invalid. */
export function parseUrl(bytes: string, as: 'request' | 'reference'): UrlParts | string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is rejected
  if (/[\x00-\x1f\x7f]/.test(bytes)) return 'net/url: invalid control character in URL';
  if (bytes === '' && as === 'request') return 'empty url';
  const none = { scheme: '', host: '', hasAuthority: false, path: '', query: undefined };
  if (bytes === '*') return { ...none, path: '*' };
  if (bytes.startsWith(':')) return 'missing protocol scheme';
  const [prefix = '', scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(bytes) ?? [];
  const rest = bytes.slice(prefix.length);
  const mark = rest.indexOf('?');
  const hierarchy = mark < 0 ? rest : rest.slice(0, mark);
  const common = {
    ...none,
    scheme: scheme.toLowerCase(),
    query: mark < 0 ? undefined : rest.slice(mark + 1),
  };
  if (!hierarchy.startsWith('/')) {
    if (scheme !== '') return { ...common, opaque: hierarchy };
    if (as === 'request') return 'invalid URI for request';
    if (cut(hierarchy, '/')[0].includes(':')) return 'first path segment in URL cannot contain colon';
  }
  const mayHaveAuthority = scheme !== '' || (as === 'reference' && !hierarchy.startsWith('///'));
  if (!mayHaveAuthority || !hierarchy.startsWith('//')) return withPath(common, hierarchy);
  const slash = hierarchy.indexOf('/', 2);
  const authority = parseAuthority(common.scheme, hierarchy.slice(2, slash < 0 ? undefined : slash));
  if (typeof authority === 'string') return authority;
  return withPath({ ...common, ...authority, hasAuthority: true }, slash < 0 ? '' : hierarchy.slice(slash));
}

function withPath(parts: Omit<UrlParts, 'path'>, path: string): UrlParts | string {
  const unescaped = unescapeUrl(path, 'path');
  return typeof unescaped === 'string' ? unescaped : { ...parts, path };
}

function parseAuthority(scheme: string, authority: string): { user?: string; host: string } | string {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (typeof host === 'string' || at < 0) return typeof host === 'string' ? host : { host: host.bytes };
  const user = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user)) return 'net/url: invalid userinfo';
  const unescaped = unescapeUrl(user, 'user');
  return typeof unescaped === 'string' ? unescaped : { user, host: host.bytes };
}

function parseHost(scheme: string, host: string): { bytes: string } | string {
  const bracket = host.lastIndexOf('[');
  if (bracket > 0) return 'invalid IP-literal';
  if (bracket === 0) return parseLiteral(host);
  const strict = scheme === 'http' || scheme === 'https';
  const colon = strict ? host.indexOf(':') : host.lastIndexOf(':');
  const port = colon < 0 ? '' : host.slice(colon);
  return isPort(port) ? unescapeUrl(host, 'host') : `invalid port ${quote(textOf(port))} after host`;
}

/** An IPv6 address in brackets. */
function parseLiteral(host: string): { bytes: string } | string {
  const close = host.lastIndexOf(']');
  if (close < 0) return "missing ']' in host";
  const port = host.slice(close + 1);
  if (!isPort(port)) return `invalid port ${quote(textOf(port))} after host`;
  const literal = host.slice(1, close);
  const zoneAt = literal.indexOf('%25');
  const address = unescapeUrl(zoneAt < 0 ? literal : literal.slice(0, zoneAt), 'host');
  const zone = unescapeUrl(zoneAt < 0 ? '' : literal.slice(zoneAt), 'zone');
  if (typeof address === 'string') return address;
  if (typeof zone === 'string') return zone;
  const bytes = address.bytes + zone.bytes;
  const ip = parseIp(textOf(bytes));
  if (typeof ip === 'string') return `invalid host: ${ip}`;
  return ip.family === 4 ? 'invalid IP-literal' : { bytes: `[${bytes}]${port}` };
}

function isPort(text: string): boolean {
  return /^(?::\d*)?$/.test(text);
}

/** Go's URL.String, by which URLs are compared. */
export function printUrl({ scheme, opaque, user, host, hasAuthority, path, query }: UrlParts): string {
  const prefix = scheme === '' ? '' : `${scheme}:`;
  const suffix = query === undefined ? '' : `?${query}`;
  if (opaque) return prefix + opaque + suffix;
  const slashes = hasAuthority && (host !== '' || path !== '' || user !== undefined) ? '//' : '';
  const userInfo = user === undefined ? '' : `${printUser(user)}@`;
  return `${prefix}${slashes}${userInfo}${escapeUrl(host, 'host')}${printUrlPart(path, 'path')}${suffix}`;
}

export function printUser(user: string): string {
  const [name, password] = cut(user, ':');
  return user.includes(':') ? `${escaped(name, 'user')}:${escaped(password, 'user')}` : escaped(name, 'user');
}

/** A part as it was written if its escapes are valid, else escaped again. */
export function printUrlPart(bytes: string, part: UrlPart): string {
  return isEscaped(bytes, part) ? bytes : escaped(bytes, part);
}

function escaped(bytes: string, part: UrlPart): string {
  const unescaped = unescapeUrl(bytes, part);
  return typeof unescaped === 'string' ? bytes : escapeUrl(unescaped.bytes, part);
}

export function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** One character for each byte of UTF-8. */
export function bytesOf(text: string): string {
  if (ASCII.test(text)) return text;
  let bytes = '';
  for (const byte of toBytes(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

export function textOf(bytes: string): string {
  if (ASCII.test(bytes)) return bytes;
  return fromBytes(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is the same in both
const ASCII = /^[\x00-\x7f]*$/;
