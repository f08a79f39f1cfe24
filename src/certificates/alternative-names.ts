import { isIP, isIPv4 } from 'node:net';
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
  if (isIP(address) === 0 || address.includes('%')) throw invalid(`"${address}" is not an IP address`);
  return isIPv4(address) ? ipv4Bytes(address) : ipv6Bytes(address);
}

function ipv4Bytes(address: string): Buffer {
  return Buffer.from(address.split('.').map(Number));
}

/** Of an address that is known to be one: `::` stands for the groups that are missing, and the end may be dotted. */
function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('::');
  const front = groupBytes(head);
  const back = groupBytes(tail ?? '');
  return Buffer.concat([front, Buffer.alloc(16 - front.length - back.length), back]);
}

function groupBytes(groups: string): Buffer {
  if (groups === '') return Buffer.alloc(0);
  return Buffer.concat(
    groups
      .split(':')
      .map((group) => (group.includes('.') ? ipv4Bytes(group) : Buffer.from(group.padStart(4, '0'), 'hex'))),
  );
}

function invalid(why: string): PodgraftError {
  return new PodgraftError('CERTIFICATE_INVALID', `Cannot issue a serving certificate: ${why}`);
}
