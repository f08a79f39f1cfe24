import { type IpAddress, parseIp } from '../../golang/parse-ip.ts';
import { quote } from '../../golang/strconv.ts';
import { CelError } from '../cel-error.ts';
import { ipToString, isIPv4Mapped, sameIp } from './ip.ts';

/** A network. The address keeps its host bits. */
export interface Cidr {
  readonly ip: IpAddress;
  readonly prefixLength: number;
}

export function toCidr(text: string): Cidr {
  const cidr = parseCidr(text);
  if (typeof cidr === 'string') throw new CelError(`${PARSE_ERROR}: ${cidr}`);
  return cidr;
}

export function isCidr(text: string): boolean {
  return typeof parseCidr(text) !== 'string';
}

export function cidrToString({ ip, prefixLength }: Cidr): string {
  return `${ipToString(ip)}/${prefixLength}`;
}

export function sameCidr(left: Cidr, right: Cidr): boolean {
  return left.prefixLength === right.prefixLength && sameIp(left.ip, right.ip);
}

export function containsIp({ ip, prefixLength }: Cidr, other: IpAddress): boolean {
  return ip.family === other.family && networkBits(ip, prefixLength) === networkBits(other, prefixLength);
}

export function containsCidr(cidr: Cidr, other: Cidr): boolean {
  return cidr.prefixLength <= other.prefixLength && containsIp(cidr, other.ip);
}

/** Without the host bits. */
export function maskedCidr({ ip, prefixLength }: Cidr): Cidr {
  const bits = networkBits(ip, prefixLength) << hostWidth(ip, prefixLength);
  return { ip: { ...ip, bits }, prefixLength };
}

const PARSE_ERROR = 'network address parse error during conversion from string';

/** Go's netip.ParsePrefix; a message if the text is invalid. */
function parseCidr(text: string): Cidr | string {
  const invalid = (message: string) => `${PARSE_ERROR}: netip.ParsePrefix(${quote(text)}): ${message}`;
  const slash = text.lastIndexOf('/');
  if (slash < 0) return invalid("no '/'");
  const ip = parseIp(text.slice(0, slash));
  if (typeof ip === 'string') return invalid(ip);
  if (ip.zone !== '') return invalid('IPv6 zones cannot be present in a prefix');
  const digits = text.slice(slash + 1);
  if (!/^(?:\d|[1-9]\d{1,17})$/.test(digits)) return invalid(`bad bits after slash: ${quote(digits)}`);
  const prefixLength = Number(digits);
  if (prefixLength > widthOf(ip)) return invalid('prefix length out of range');
  return isIPv4Mapped(ip) ? `IPv4-mapped IPv6 address ${quote(text)} is not allowed` : { ip, prefixLength };
}

function networkBits(ip: IpAddress, prefixLength: number): bigint {
  return ip.bits >> hostWidth(ip, prefixLength);
}

function hostWidth(ip: IpAddress, prefixLength: number): bigint {
  return BigInt(widthOf(ip) - prefixLength);
}

function widthOf({ family }: IpAddress): number {
  return family === 4 ? 32 : 128;
}
