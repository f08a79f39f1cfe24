import { expect, test } from 'vitest';
import { cidrToString, containsCidr, containsIp, isCidr, maskedCidr, sameCidr, toCidr } from './cidr.ts';
import {
  ipToString,
  isCanonicalIp,
  isGlobalUnicast,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  sameIp,
  toIp,
} from './ip.ts';

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
  ['1:0:2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ['::', '::'],
  ['1::', '1::'],
  ['::1.2.3.4', '::102:304'],
])('the address %s is printed %s', (text, canonical) => {
  expect(ipToString(toIp(text))).toBe(canonical);
  expect(isCanonicalIp(text)).toBe(text === canonical);
});

test.each([
  ['', 'unable to parse IP'],
  ['x', 'unable to parse IP'],
  ['%eth0', 'missing IPv6 address'],
  ['1.2.3', 'IPv4 address too short'],
  ['1.2.3.4.5', 'IPv4 address too long'],
  ['1.2.3.', 'IPv4 field must have at least one digit (at ".")'],
  ['.1.2.3', 'IPv4 field must have at least one digit (at ".1.2.3")'],
  ['1..2.3', 'IPv4 field must have at least one digit (at ".2.3")'],
  ['1.2.3.04', 'IPv4 field has octet with leading zero'],
  ['1.2.3.256', 'IPv4 field has value >255'],
  ['1.2.3.x', 'unexpected character (at "x")'],
  ['1:2', 'address string too short'],
  ['1:2:', 'colon must be followed by more characters (at ":")'],
  ['1:2:3:4:5:6:7:8:9', 'trailing garbage after address (at "9")'],
  ['1::2::3', 'multiple :: in address (at ":3")'],
  ['::12345', 'each group must have 4 or less digits (at "12345")'],
  ['::g', 'each colon-separated field must have at least one digit (at "g")'],
  ['1:2:3:4:5:6:7::8', 'the :: must expand to at least one field of zeros'],
  ['1:1.2.3.4', 'embedded IPv4 address must replace the final 2 fields of the address (at "1.2.3.4")'],
  ['::1%', 'zone must be a non-empty string'],
])('%j is not an address', (text, message) => {
  expect(isIp(text)).toBe(false);
  expect(() => toIp(text)).toThrow(
    `IP Address "${text}" parse error during conversion from string: ParseAddr("${text}"): ${message}`,
  );
});

test('zones and mapped addresses are rejected', () => {
  expect(() => toIp('fe80::1%eth0')).toThrow('IP address "fe80::1%eth0" with zone value is not allowed');
  expect(() => toIp('::ffff:1.2.3.4')).toThrow('IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed');
  expect(isIp('fe80::1%eth0') || isIp('::ffff:1.2.3.4')).toBe(false);
});

test.each([
  ['0.0.0.0', [true, false, false, false, false]],
  ['127.9.9.9', [false, true, false, false, false]],
  ['224.0.0.9', [false, false, true, false, false]],
  ['224.0.1.1', [false, false, false, false, false]],
  ['169.254.1.1', [false, false, false, true, false]],
  ['255.255.255.255', [false, false, false, false, false]],
  ['10.0.0.1', [false, false, false, false, true]],
  ['::', [true, false, false, false, false]],
  ['::1', [false, true, false, false, false]],
  ['ff02::1', [false, false, true, false, false]],
  ['ff12::1', [false, false, true, false, false]],
  ['ff05::1', [false, false, false, false, false]],
  ['febf::1', [false, false, false, true, false]],
  ['fec0::1', [false, false, false, false, true]],
])('the kinds of %s', (text, expected) => {
  const kinds = [isUnspecified, isLoopback, isLinkLocalMulticast, isLinkLocalUnicast, isGlobalUnicast];
  expect(kinds.map((is) => is(toIp(text)))).toEqual(expected);
});

test('a network keeps its host bits until it is masked', () => {
  const cidr = toCidr('192.168.3.7/22');
  expect(cidrToString(cidr)).toBe('192.168.3.7/22');
  expect(cidrToString(maskedCidr(cidr))).toBe('192.168.0.0/22');
  expect(cidrToString(maskedCidr(toCidr('2001:db8::1/32')))).toBe('2001:db8::/32');
  expect(sameCidr(cidr, maskedCidr(cidr))).toBe(false);
  expect(sameIp(cidr.ip, toIp('192.168.3.7'))).toBe(true);
});

test('a network contains addresses and smaller networks of its family', () => {
  const cidr = toCidr('10.1.2.3/8');
  expect(containsIp(cidr, toIp('10.255.0.1'))).toBe(true);
  expect(containsIp(cidr, toIp('11.0.0.1'))).toBe(false);
  expect(containsIp(toCidr('0.0.0.0/0'), toIp('::1'))).toBe(false);
  expect(containsCidr(cidr, toCidr('10.9.0.0/16'))).toBe(true);
  expect(containsCidr(cidr, toCidr('10.0.0.0/8'))).toBe(true);
  expect(containsCidr(cidr, toCidr('10.0.0.0/7'))).toBe(false);
  expect(containsCidr(toCidr('0.0.0.0/0'), toCidr('::/0'))).toBe(false);
});

const twice =
  'network address parse error during conversion from string: network address parse error during conversion from string:';

test.each([
  ['10.0.0.0', `${twice} netip.ParsePrefix("10.0.0.0"): no '/'`],
  ['10.0.0/8', `${twice} netip.ParsePrefix("10.0.0/8"): ParseAddr("10.0.0"): IPv4 address too short`],
  ['10.0.0.0/33', `${twice} netip.ParsePrefix("10.0.0.0/33"): prefix length out of range`],
  ['10.0.0.0/08', `${twice} netip.ParsePrefix("10.0.0.0/08"): bad bits after slash: "08"`],
  ['10.0.0.0/', `${twice} netip.ParsePrefix("10.0.0.0/"): bad bits after slash: ""`],
  ['fe80::%a/8', `${twice} netip.ParsePrefix("fe80::%a/8"): IPv6 zones cannot be present in a prefix`],
  [
    '::ffff:10.0.0.0/104',
    'network address parse error during conversion from string: IPv4-mapped IPv6 address "::ffff:10.0.0.0/104" is not allowed',
  ],
])('%s is not a network', (text, message) => {
  expect(isCidr(text)).toBe(false);
  expect(() => toCidr(text)).toThrow(message);
});
