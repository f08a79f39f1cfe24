import { quote } from './strconv.ts';
import { fromBytes } from './utf8.ts';

// URLs are handled as bytes, one character a byte, since escapes need not make up valid UTF-8.

/** A part of a URL, with its own rules for escapes. */
export type UrlPart = 'path' | 'host' | 'zone' | 'user' | 'query' | 'fragment';

/** The bytes with all escapes replaced; a message if an escape is invalid, or a host has an invalid character. */
export function unescapeUrl(bytes: string, part: UrlPart): { bytes: string } | string {
  let invalid: string | undefined;
  const unescaped = bytes.replace(ESCAPABLE, (match) => {
    if (invalid !== undefined) return match;
    if (match === '+') return part === 'query' ? ' ' : '+';
    if (match.startsWith('%')) {
      if (isValidEscape(match, part)) return String.fromCharCode(Number.parseInt(match.slice(1), 16));
      invalid = `invalid URL escape ${quoteBytes(match)}`;
    } else if ((part === 'host' || part === 'zone') && !isUnescaped(match, part))
      invalid = `invalid character ${quote(match)} in host name`;
    return match;
  });
  return invalid ?? { bytes: unescaped };
}

export function escapeUrl(bytes: string, part: UrlPart): string {
  return bytes.replace(NOT_ALPHANUMERIC, (byte) => {
    if (isUnescaped(byte, part)) return byte;
    return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
}

/** Whether a part may be used as it was written, since only escapes or valid characters occur. */
export function isEscaped(bytes: string, part: UrlPart): boolean {
  for (const [byte] of bytes.matchAll(NOT_ALPHANUMERIC)) {
    if (!"!$&'()*+,;=:@[]%".includes(byte) && !isUnescaped(byte, part)) return false;
  }
  return true;
}

/** An escape as far as it goes, a plus sign, or another ASCII character that may be invalid. */
const ESCAPABLE = /%.{0,2}|[^A-Za-z0-9\x80-\xff]/gs;
const NOT_ALPHANUMERIC = /[^A-Za-z0-9]/g;

const HOST = '!"$&\'()*+,-.:;<=>[]_~';
const UNESCAPED: Readonly<Record<UrlPart, string>> = {
  path: '$&+,-./:;=@_~',
  host: HOST,
  zone: HOST,
  user: '$&+,-.;=_~',
  query: '-._~',
  fragment: '!$&()*+,-./:;=?@_~',
};

function isUnescaped(byte: string, part: UrlPart): boolean {
  return /[A-Za-z0-9]/.test(byte) || UNESCAPED[part].includes(byte);
}

/** Go prints bytes that are not UTF-8 in hexadecimal. A cut through a character leaves such bytes. */
function quoteBytes(bytes: string): string {
  const text = fromBytes(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  if (!text.includes('\ufffd')) return quote(text);
  const parts = Array.from(bytes, (byte) => {
    return byte > '\x7f' ? `\\x${byte.charCodeAt(0).toString(16)}` : quote(byte).slice(1, -1);
  });
  return `"${parts.join('')}"`;
}

/** In hosts only bytes outside ASCII and %25 are escaped (RFC 6874); in zones, whatever a host may contain, and spaces. */
function isValidEscape(sequence: string, part: UrlPart): boolean {
  if (!/^%[0-9a-fA-F]{2}$/.test(sequence)) return false;
  const code = Number.parseInt(sequence.slice(1), 16);
  if (sequence === '%25') return true;
  if (part === 'host') return code >= 0x80;
  return part !== 'zone' || code === 0x20 || isUnescaped(String.fromCharCode(code), 'host');
}
