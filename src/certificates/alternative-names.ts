import { isIPv4, isIPv6 } from 'node:net';
import { PodgraftError } from '../podgraft-error.ts';
import { contextPrimitive, sequence } from './der.ts';

/** The value of a SubjectAltName extension (RFC 5280 §4.2.1.6). */
export function alternativeNames(dnsNames: readonly string[], ipAddresses: readonly string[]): Buffer {
  if (dnsNames.length + ipAddresses.length === 0) throw invalid('it needs a DNS name or an IP address');
  return sequence(
    ...dnsNames.map((name) => contextPrimitive(2, dnsBytes(name))),
    ...ipAddresses.map((address) => contextPrimitive(7, ipBytes(address))),
  );
}

const DNS_NAME = /^(\*\.)?[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/i;

function dnsBytes(name: string): Buffer {
  if (name.length > 253 || !DNS_NAME.test(name)) throw invalid(`"${name}" is not a DNS name`);
  return Buffer.from(name, 'latin1');
}

function ipBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  if (!isIPv6(address) || address.includes('%')) throw invalid(`"${address}" is not an IP address`);
  // A URL has all groups in hexadecimal; `::` stands for groups of zeros.
  const { hostname } = new URL(`http://[${address}]`);
  const [head = '', tail = ''] = hostname
    .slice(1, -1)
    .replace(/\w+/g, (group) => group.padStart(4, '0'))
    .split('::')
    .map((groups) => groups.replaceAll(':', ''));
  return Buffer.from(head.padEnd(32 - tail.length, '0') + tail, 'hex');
}

function invalid(why: string): PodgraftError {
  return new PodgraftError('CERTIFICATE_INVALID', `Cannot issue a serving certificate: ${why}`);
}
