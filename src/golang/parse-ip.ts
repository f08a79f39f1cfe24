import { quote } from './strconv.ts';

/** An IPv4 or IPv6 address. Zones are only parsed. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly bits: bigint;
  readonly zone: string;
}

/** Go's netip.ParseAddr; a message if the text is invalid. */
export function parseIp(text: string): IpAddress | string {
  const first = /[.:%]/.exec(text)?.[0];
  if (first === '.') return parseIPv4(text);
  if (first === ':') return parseIPv6(text);
  return problem(text, first === '%' ? 'missing IPv6 address' : 'unable to parse IP');
}

function parseIPv4(text: string): IpAddress | string {
  const bits = parseFields(text, text);
  return typeof bits === 'string' ? bits : { family: 4, bits, zone: '' };
}

/** Four decimal fields, a whole address or the end of an IPv6 address. */
function parseFields(text: string, fields: string): bigint | string {
  let bits = 0n;
  let count = 0;
  let at = 0;
  while (at < fields.length) {
    const digits = /^\d*/.exec(fields.slice(at, at + 4))?.[0] ?? '';
    if (/^0\d/.test(digits)) return problem(text, 'IPv4 field has octet with leading zero');
    if (Number(digits) > 255) return problem(text, 'IPv4 field has value >255');
    const end = at + digits.length;
    const isLast = end === fields.length;
    if (!isLast && fields[end] !== '.') return problem(text, 'unexpected character', fields.slice(end));
    // The position of an empty field is that of the point before or after it.
    if (digits === '') return problem(text, NO_DIGIT, fields.slice(at === 0 ? 0 : end));
    if (end === fields.length - 1) return problem(text, NO_DIGIT, fields.slice(end));
    if (count === 3 && !isLast) return problem(text, 'IPv4 address too long');
    bits = (bits << 8n) | BigInt(digits);
    count++;
    at = end + 1;
  }
  return count < 4 ? problem(text, 'IPv4 address too short') : bits;
}

const NO_DIGIT = 'IPv4 field must have at least one digit';

function parseIPv6(text: string): IpAddress | string {
  const percent = text.indexOf('%');
  const zone = percent < 0 ? '' : text.slice(percent + 1);
  if (percent >= 0 && zone === '') return problem(text, 'zone must be a non-empty string');
  const groups = parseGroups(text, percent < 0 ? text : text.slice(0, percent));
  if (typeof groups === 'string') return groups;
  return { family: 6, bits: groups.reduce((sum, group) => (sum << 16n) | BigInt(group), 0n), zone };
}

function parseGroups(text: string, address: string): number[] | string {
  const groups: number[] = [];
  let ellipsis = address.startsWith('::') ? 0 : -1;
  let rest = ellipsis === 0 ? address.slice(2) : address;
  while (rest !== '' && groups.length < 8) {
    const digits = /^[0-9a-fA-F]*/.exec(rest.slice(0, 5))?.[0] ?? '';
    if (digits.length > 4) return problem(text, 'each group must have 4 or less digits', rest);
    if (digits === '') return problem(text, 'each colon-separated field must have at least one digit', rest);
    if (rest[digits.length] === '.') {
      const embedded = parseEmbedded(text, rest, groups, ellipsis);
      if (typeof embedded === 'string') return embedded;
      groups.push(...embedded);
      rest = '';
      break;
    }
    groups.push(Number.parseInt(digits, 16));
    rest = rest.slice(digits.length);
    if (rest === '') break;
    if (rest[0] !== ':') return problem(text, 'unexpected character, want colon', rest);
    if (rest === ':') return problem(text, 'colon must be followed by more characters', rest);
    rest = rest.slice(1);
    if (rest[0] !== ':') continue;
    if (ellipsis >= 0) return problem(text, 'multiple :: in address', rest);
    ellipsis = groups.length;
    rest = rest.slice(1);
  }
  if (rest !== '') return problem(text, 'trailing garbage after address', rest);
  return expand(text, groups, ellipsis);
}

function parseEmbedded(
  text: string,
  rest: string,
  groups: readonly number[],
  ellipsis: number,
): number[] | string {
  if (ellipsis < 0 && groups.length !== 6)
    return problem(text, 'embedded IPv4 address must replace the final 2 fields of the address', rest);
  if (groups.length > 6)
    return problem(text, 'too many hex fields to fit an embedded IPv4 at the end of the address', rest);
  const bits = parseFields(text, rest);
  return typeof bits === 'string' ? bits : [Number(bits >> 16n), Number(bits & 0xffffn)];
}

function expand(text: string, groups: readonly number[], ellipsis: number): number[] | string {
  if (groups.length === 8)
    return ellipsis < 0 ? [...groups] : problem(text, 'the :: must expand to at least one field of zeros');
  if (ellipsis < 0) return problem(text, 'address string too short');
  const zeros = Array<number>(8 - groups.length).fill(0);
  return [...groups.slice(0, ellipsis), ...zeros, ...groups.slice(ellipsis)];
}

function problem(text: string, message: string, at?: string): string {
  return `ParseAddr(${quote(text)}): ${message}${at === undefined ? '' : ` (at ${quote(at)})`}`;
}
