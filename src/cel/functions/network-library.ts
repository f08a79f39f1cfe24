import type { IpAddress } from '../../golang/parse-ip.ts';
import { parsing } from '../call-work.ts';
import { type FunctionDeclaration, method, overload } from '../declarations.ts';
import { containsCidr, containsIp, isCidr, maskedCidr, toCidr } from '../library/cidr.ts';
import {
  isCanonicalIp,
  isGlobalUnicast,
  isIp,
  isLinkLocalMulticast,
  isLinkLocalUnicast,
  isLoopback,
  isUnspecified,
  toIp,
} from '../library/ip.ts';
import { isUrl, toUrl, type Url, urlHostname, urlPort, urlQuery } from '../library/url.ts';
import { BOOL, INT, listOf, mapOf, opaque, STRING, struct } from '../types.ts';
import { NO_OVERLOAD } from '../values/arithmetic.ts';
import { CidrValue, IpValue, UrlValue } from '../values/library-values.ts';
import { MapBuilder } from '../values/maps.ts';
import { costSize } from '../values/size.ts';
import { doubleTraversal, nominal, tenths, traversal } from './cost.ts';
import type { Library } from './merge-libraries.ts';

const IP = opaque('net.IP');
const CIDR = opaque('net.CIDR');
const URL = struct('kubernetes.URL');

/** A character of an invalid address, which is quoted. */
const ADDRESS_WORK = 6;
/** A character that has to be escaped, or a pair of a query, takes far longer than others. */
const URL_WORK = 20;
const QUERY_WORK = 20;

/** IP addresses, networks and URLs. */
export const networkLibrary: Library = [
  {
    name: 'ip',
    cost: traversal,
    work: parsing(ADDRESS_WORK),
    overloads: [
      overload('string_to_ip', [STRING], IP, (text) => new IpValue(toIp(String(text)))),
      method(
        'cidr_ip',
        [CIDR],
        IP,
        (cidr) => cidr instanceof CidrValue && new IpValue(cidr.content.ip),
        nominal,
      ),
    ],
  },
  {
    name: 'isIP',
    cost: traversal,
    work: parsing(ADDRESS_WORK),
    overloads: [overload('is_ip', [STRING], BOOL, (text) => isIp(String(text)))],
  },
  {
    name: 'ip.isCanonical',
    work: parsing(ADDRESS_WORK),
    cost: doubleTraversal,
    overloads: [overload('ip_is_canonical', [STRING], BOOL, (text) => isCanonicalIp(String(text)))],
  },
  {
    name: 'family',
    overloads: [method('ip_family', [IP], INT, (ip) => ip instanceof IpValue && ip.content.family)],
  },
  ipTest('isUnspecified', isUnspecified),
  ipTest('isLoopback', isLoopback),
  ipTest('isLinkLocalMulticast', isLinkLocalMulticast),
  ipTest('isLinkLocalUnicast', isLinkLocalUnicast),
  ipTest('isGlobalUnicast', isGlobalUnicast),
  {
    name: 'cidr',
    cost: traversal,
    work: parsing(ADDRESS_WORK),
    overloads: [overload('string_to_cidr', [STRING], CIDR, (text) => new CidrValue(toCidr(String(text))))],
  },
  {
    name: 'isCIDR',
    cost: traversal,
    work: parsing(ADDRESS_WORK),
    overloads: [overload('is_cidr', [STRING], BOOL, (text) => isCidr(String(text)))],
  },
  {
    name: 'containsIP',
    cost: ([cidr]) => compared(cidr),
    work: parsingSecond,
    overloads: [
      method(
        'cidr_contains_ip_string',
        [CIDR, STRING],
        BOOL,
        (cidr, text) => (isIp(String(text)) ? contains(cidr, new IpValue(toIp(String(text)))) : NO_OVERLOAD),
        ([cidr, text]) => compared(cidr) + tenths(text),
      ),
      method('cidr_contains_ip_ip', [CIDR, IP], BOOL, contains),
    ],
  },
  {
    name: 'containsCIDR',
    cost: ([cidr]) => compared(cidr) + tenths(cidr) + 1,
    work: parsingSecond,
    overloads: [
      method(
        'cidr_contains_cidr_string',
        [CIDR, STRING],
        BOOL,
        (cidr, text) => contains(cidr, new CidrValue(toCidr(String(text)))),
        ([cidr, text]) => compared(cidr) + tenths(cidr) + 1 + tenths(text),
      ),
      method('cidr_contains_cidr', [CIDR, CIDR], BOOL, contains),
    ],
  },
  {
    name: 'prefixLength',
    overloads: [
      method(
        'cidr_prefix_length',
        [CIDR],
        INT,
        (cidr) => cidr instanceof CidrValue && cidr.content.prefixLength,
      ),
    ],
  },
  {
    name: 'masked',
    overloads: [
      method(
        'cidr_masked',
        [CIDR],
        CIDR,
        (cidr) => cidr instanceof CidrValue && new CidrValue(maskedCidr(cidr.content)),
      ),
    ],
  },
  {
    name: 'string',
    overloads: [
      overload('ip_to_string', [IP], STRING, String),
      overload('cidr_to_string', [CIDR], STRING, String),
    ],
  },
  {
    name: 'url',
    cost: traversal,
    work: parsing(URL_WORK),
    overloads: [overload('string_to_url', [STRING], URL, (text) => new UrlValue(toUrl(String(text))))],
  },
  {
    name: 'isURL',
    work: parsing(URL_WORK),
    overloads: [overload('is_url_string', [STRING], BOOL, (text) => isUrl(String(text)))],
  },
  urlPart('getScheme', 'url_get_scheme', ({ scheme }) => scheme),
  urlPart('getHost', 'url_get_host', ({ host }) => host),
  urlPart('getHostname', 'url_get_hostname', urlHostname),
  urlPart('getPort', 'url_get_port', urlPort),
  urlPart('getEscapedPath', 'url_get_escaped_path', ({ escapedPath }) => escapedPath),
  {
    name: 'getQuery',
    work: ([url]) => (url instanceof UrlValue ? 300 + QUERY_WORK * url.content.rawQuery.length : 0),
    overloads: [method('url_get_query', [URL], mapOf(STRING, listOf(STRING)), query)],
  },
];

function ipTest(name: string, test: (ip: IpAddress) => boolean): FunctionDeclaration {
  return { name, overloads: [method(name, [IP], BOOL, (ip) => ip instanceof IpValue && test(ip.content))] };
}

function urlPart(name: string, id: string, read: (url: Url) => string): FunctionDeclaration {
  return {
    name,
    overloads: [method(id, [URL], STRING, (url) => url instanceof UrlValue && read(url.content))],
  };
}

/** An address or network as text is parsed twice. */
function parsingSecond([, text]: readonly unknown[]): number {
  return typeof text === 'string' ? 2 * (300 + ADDRESS_WORK * text.length) : 0;
}

function contains(cidr: unknown, other: unknown): unknown {
  if (!(cidr instanceof CidrValue)) return NO_OVERLOAD;
  if (other instanceof IpValue) return containsIp(cidr.content, other.content);
  if (other instanceof CidrValue) return containsCidr(cidr.content, other.content);
  return NO_OVERLOAD;
}

/** Comparing the bytes of a network. */
function compared(cidr: unknown): number {
  return Math.ceil((costSize(cidr) * 2) / 10);
}

function query(url: unknown): unknown {
  const builder = new MapBuilder();
  if (url instanceof UrlValue)
    for (const [key, values] of urlQuery(url.content)) builder.set(key, [...values]);
  return builder.map;
}
