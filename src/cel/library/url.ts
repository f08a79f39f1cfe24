import { bytesOf, cut, parseUrl, printUrl, printUrlPart, textOf } from '../../golang/parse-url.ts';
import { quote } from '../../golang/strconv.ts';
import { unescapeUrl } from '../../golang/url-escapes.ts';
import { CelError } from '../cel-error.ts';

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
  const parts = parseUrl(uri, 'reference');
  if (typeof parts === 'string') throw parseError(`parse ${quote(textOf(uri))}: ${parts}`);
  const unescaped = unescapeUrl(fragment, 'fragment');
  if (typeof unescaped === 'string') throw parseError(`parse ${quote(text)}: ${unescaped}`);
  const suffix = fragment === '' ? '' : `#${printUrlPart(fragment, 'fragment')}`;
  return {
    text: textOf(printUrl(parts) + suffix),
    scheme: parts.scheme,
    host: textOf(parts.host),
    escapedPath: textOf(printUrlPart(parts.path, 'path')),
    rawQuery: textOf(parts.query ?? ''),
  };
}

/** Go's message if a text is not a URI for a request. */
export function uriProblem(text: string): string | undefined {
  const parts = parseUrl(bytesOf(text), 'request');
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

function parseError(problem: string): CelError {
  return new CelError(`URL parse error during conversion from string: ${problem}`);
}
