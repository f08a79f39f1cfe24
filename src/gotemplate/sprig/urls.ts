import { bytesOf, cut, parseUrl, printUser, textOf } from '../../golang/parse-url.ts';
import { quote } from '../../golang/strconv.ts';
import { escapeUrl, unescapeUrl } from '../../golang/url-escapes.ts';
import { type AnyMap, mapGet, mapHas } from '../containers.ts';
import { type FunctionMap, metered } from '../func.ts';
import { textCost } from '../meter.ts';
import { ANY_MAP, kindOf } from '../types.ts';

/** Sprig's functions on URLs. */
export const URLS: FunctionMap = {
  urlParse: metered(`func(string) ${ANY_MAP}`, (meter, text: string) => {
    meter.spend(textCost(text));
    return urlParse(text);
  }),
  urlJoin: metered(`func(${ANY_MAP}) string`, (meter, parts: AnyMap) => {
    const text = urlJoin(parts);
    meter.reserve(text.length);
    return text;
  }),
};

function urlParse(text: string) {
  const [uri, fragment] = cut(bytesOf(text), '#');
  const parts = parseUrl(uri, 'reference');
  if (typeof parts === 'string') throw invalid(textOf(uri), parts);
  return new Map([
    ['scheme', parts.scheme],
    ['host', textOf(parts.host)],
    ['hostname', hostname(textOf(parts.host))],
    ['path', unescaped(parts.path, 'path', text)],
    ['query', textOf(parts.query ?? '')],
    ['opaque', textOf(parts.opaque ?? '')],
    ['fragment', unescaped(fragment, 'fragment', text)],
    ['userinfo', parts.user === undefined ? '' : textOf(printUser(parts.user))],
  ]);
}

function unescaped(bytes: string, part: 'path' | 'fragment', url: string): string {
  const result = unescapeUrl(bytes, part);
  if (typeof result === 'string') throw invalid(url, result);
  return textOf(result.bytes);
}

function invalid(url: string, problem: string): Error {
  return new Error(`unable to parse url: parse ${quote(url)}: ${problem}`);
}

/** Without port and brackets. */
function hostname(host: string): string {
  const name = host.replace(/:\d*$/, '');
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

function urlJoin(parts: AnyMap): string {
  const [scheme, host, path, query, opaque, fragment] = (
    ['scheme', 'host', 'path', 'query', 'opaque', 'fragment'] as const
  ).map((key) => bytesOf(textAt(parts, key))) as [string, string, string, string, string, string];
  const userInfo = userInfoOf(bytesOf(textAt(parts, 'userinfo')));
  const suffix = (query && `?${query}`) + (fragment && `#${escapeUrl(fragment, 'fragment')}`);
  const prefix = scheme && `${scheme}:`;
  if (opaque !== '') return textOf(prefix + opaque + suffix);
  const hasAuthority = host !== '' || userInfo !== '';
  const slashes = hasAuthority || (scheme !== '' && path !== '') ? '//' : '';
  const authority = slashes + userInfo + escapeUrl(host, 'host');
  const escapedPath = path === '*' ? path : escapeUrl(path, 'path');
  const separator = host !== '' && path !== '' && !path.startsWith('/') ? '/' : '';
  // RFC 3986, 4.2: the first segment would be read as a scheme.
  const isAmbiguous = prefix + authority === '' && cut(escapedPath, '/')[0].includes(':');
  return textOf(prefix + authority + separator + (isAmbiguous ? './' : '') + escapedPath + suffix);
}

function textAt(parts: AnyMap, key: string): string {
  if (!mapHas(parts, key)) return '';
  const value = mapGet(parts, key);
  if (typeof value === 'string') return value;
  throw new Error(`unable to parse ${key} key, must be of type string, but ${kindOf(value)} found`);
}

function userInfoOf(user: string): string {
  if (user === '') return '';
  const parsed = parseUrl(`proto://${user}@host`, 'reference');
  if (typeof parsed === 'string')
    throw new Error(
      `unable to parse userinfo in dict: parse ${quote(textOf(`proto://${user}@host`))}: ${parsed}`,
    );
  return parsed.user === undefined ? '' : `${printUser(parsed.user)}@`;
}
