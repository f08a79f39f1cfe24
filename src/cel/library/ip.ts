import { type IpAddress, parseIp } from '../../golang/parse-ip.ts';
import { quote } from '../../golang/strconv.ts';
import { CelError } from '../cel-error.ts';

/** Addresses with a zone and IPv4-mapped ones are rejected. */
export function toIp(text: string): IpAddress {
  const ip = parseIp(text);
  if (typeof ip === 'string')
    throw new CelError(`IP Address ${quote(text)} parse error during conversion from string: ${ip}`);
  if (ip.zone !== '') throw new CelError(`IP address ${quote(text)} with zone value is not allowed`);
  if (isIPv4Mapped(ip)) throw new CelError(`IPv4-mapped IPv6 address ${quote(text)} is not allowed`);
  return ip;
}

export function isIp(text: string): boolean {
  const ip = parseIp(text);
  return typeof ip !== 'string' && ip.zone === '' && !isIPv4Mapped(ip);
}

export function isCanonicalIp(text: string): boolean {
  return ipToString(toIp(text)) === text;
}

export function ipToString({ family, bits }: IpAddress): string {
  return family === 4 ? fieldsOf(bits, 4, 8).join('.') : ipv6Text(fieldsOf(bits, 8, 16));
}

export function sameIp(left: IpAddress, right: IpAddress): boolean {
  return left.family === right.family && left.bits === right.bits;
}

export function isUnspecified({ bits }: IpAddress): boolean {
  return bits === 0n;
}

export function isLoopback({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 24n === 127n : bits === 1n;
}

/** 224.0.0.0/24, and ff02::/16 with any flags. */
export function isLinkLocalMulticast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 8n === 0xe00000n : ((bits >> 112n) & 0xff0fn) === 0xff02n;
}

/** 169.254.0.0/16, fe80::/10. */
export function isLinkLocalUnicast({ family, bits }: IpAddress): boolean {
  return family === 4 ? bits >> 16n === 0xa9fen : bits >> 118n === 0xfe80n >> 6n;
}

/** Private addresses count as global. */
export function isGlobalUnicast(ip: IpAddress): boolean {
  const { family, bits } = ip;
  const isMulticast = family === 4 ? bits >> 28n === 0xen : bits >> 120n === 0xffn;
  const isBroadcast = family === 4 && bits === 0xffffffffn;
  return !isUnspecified(ip) && !isBroadcast && !isLoopback(ip) && !isMulticast && !isLinkLocalUnicast(ip);
}

/** ::ffff:0:0/96. */
export function isIPv4Mapped({ family, bits }: IpAddress): boolean {
  return family === 6 && bits >> 32n === 0xffffn;
}

function fieldsOf(bits: bigint, count: number, width: number): number[] {
  const mask = (1n << BigInt(width)) - 1n;
  return Array.from({ length: count }, (_, i) => Number((bits >> BigInt(width * (count - 1 - i))) & mask));
}

/** RFC 5952: the first of the longest runs of at least two zeros becomes `::`. */
function ipv6Text(groups: readonly number[]): string {
  let [start, length] = [0, 1];
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (groups[end] === 0) end++;
    if (end - i > length) [start, length] = [i, end - i];
  }
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}
