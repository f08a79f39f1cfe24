import { quote } from '../../golang/strconv.ts';
import { fromBytes, toBytes } from '../../golang/utf8.ts';
import { CelError } from '../cel-error.ts';
import { parseIp } from './parse-ip.ts';
import { escapeUrl, isEscaped, type UrlPart, unescapeUrl } from './url-escapes.ts';

/** A parsed URL. All parts are as they are printed, except for `host`, which is unescaped. */
export interface Url {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly escapedPath: string;
  readonly rawQuery: string;
}

/** An absolute URI, or an absolute path: what Go's url.ParseRequestURI accepts. */
export function toUrl(text: string): Url {
  const problem = uriProblem(text);
  if (problem !== undefined) throw parseError(problem);
  const [uri, fragment] = cut(bytesOf(text), '#');
  const parts = parse(uri, 'reference');
  if (typeof parts === 'string') throw parseError(`parse ${quote(textOf(uri))}: ${parts}`);
  const unescaped = unescapeUrl(fragment, 'fragment');
  if (typeof unescaped === 'string') throw parseError(`parse ${quote(text)}: ${unescaped}`);
  const suffix = fragment === '' ? '' : `#${printed(fragment, 'fragment')}`;
  return {
    text: textOf(printParts(parts) + suffix),
    scheme: parts.scheme,
    host: textOf(parts.host),
    escapedPath: textOf(printed(parts.path, 'path')),
    rawQuery: textOf(parts.query ?? ''),
  };
}

/** Why a text is not a URI for a request, in Go's words. */
export function uriProblem(text: string): string | undefined {
  const parts = parse(bytesOf(text), 'request');
  return typeof parts === 'string' ? `parse ${quote(text)}: ${parts}` : undefined;
}

export function isUrl(text: string): boolean {
  return uriProblem(text) === undefined;
}

/** Without port and brackets. */
export function urlHostname({ host }: Url): string {
  const name = host.replace(/:\d*$/, '');
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

export function urlPort({ host }: Url): string {
  return /:(\d*)$/.exec(host)?.[1] ?? '';
}

/** The values of each key, in order. Pairs with a semicolon or an invalid escape are dropped. */
export function urlQuery({ rawQuery }: Url): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  const pairs = bytesOf(rawQuery).split('&');
  if (pairs.length > MAX_PAIRS) return query;
  for (const pair of pairs) {
    if (pair === '' || pair.includes(';')) continue;
    const [key, value] = cut(pair, '=').map((side) => unescapeUrl(side, 'query'));
    if (typeof key !== 'object' || typeof value !== 'object') continue;
    const values = query.get(textOf(key.bytes));
    if (values === undefined) query.set(textOf(key.bytes), [textOf(value.bytes)]);
    else values.push(textOf(value.bytes));
  }
  return query;
}

/** Go's own limit, beyond which it parses no pair. */
const MAX_PAIRS = 10_000;

interface Parts {
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

function parse(bytes: string, as: 'request' | 'reference'): Parts | string {
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

function withPath(parts: Omit<Parts, 'path'>, path: string): Parts | string {
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
function printParts({ scheme, opaque, user, host, hasAuthority, path, query }: Parts): string {
  const prefix = scheme === '' ? '' : `${scheme}:`;
  const suffix = query === undefined ? '' : `?${query}`;
  if (opaque) return prefix + opaque + suffix;
  const slashes = hasAuthority && (host !== '' || path !== '' || user !== undefined) ? '//' : '';
  const userInfo = user === undefined ? '' : `${printUser(user)}@`;
  return `${prefix}${slashes}${userInfo}${escapeUrl(host, 'host')}${printed(path, 'path')}${suffix}`;
}

function printUser(user: string): string {
  const [name, password] = cut(user, ':');
  return user.includes(':') ? `${escaped(name, 'user')}:${escaped(password, 'user')}` : escaped(name, 'user');
}

function printed(bytes: string, part: UrlPart): string {
  return isEscaped(bytes, part) ? bytes : escaped(bytes, part);
}

function escaped(bytes: string, part: UrlPart): string {
  const unescaped = unescapeUrl(bytes, part);
  return typeof unescaped === 'string' ? bytes : escapeUrl(unescaped.bytes, part);
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function bytesOf(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is the same in both
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  let bytes = '';
  for (const byte of toBytes(text)) bytes += String.fromCharCode(byte);
  return bytes;
}

function textOf(bytes: string): string {
  return fromBytes(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
}

function parseError(problem: string): CelError {
  return new CelError(`URL parse error during conversion from string: ${problem}`);
}
