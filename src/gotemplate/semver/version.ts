import { MAX_UINT64 } from '../../golang/parse-number.ts';

/** A semantic version; `original` is the parsed text. */
export interface Version {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: string;
  readonly metadata: string;
  readonly original: string;
}

const IDENTIFIERS = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
/** A pattern for the prerelease and metadata of a version. */
export const SUFFIX: string = `(?:-(${IDENTIFIERS}))?(?:\\+(${IDENTIFIERS}))?`;
const VERSION = new RegExp(`^v?([0-9]+)(?:\\.([0-9]+))?(?:\\.([0-9]+))?${SUFFIX}$`);

/** Parses leniently, as Masterminds' NewVersion does: `v1.2` is 1.2.0. */
export function parseVersion(text: string): Version {
  const match = VERSION.exec(text);
  if (match === null) throw new Error('Invalid Semantic Version');
  const [, major = '', minor = '0', patch = '0', prerelease = '', metadata = ''] = match;
  return {
    major: segment(major),
    minor: segment(minor),
    patch: segment(patch),
    prerelease: checkPrerelease(prerelease),
    metadata,
    original: text,
  };
}

export function checkPrerelease(prerelease: string): string {
  for (const part of prerelease.split('.')) {
    if (/^0\d+$/.test(part)) throw new Error('Version segment starts with 0');
    if (!/^[0-9A-Za-z-]*$/.test(part)) throw new Error('Invalid Prerelease string');
  }
  return prerelease;
}

export function checkMetadata(metadata: string): string {
  if (/^[0-9A-Za-z.-]*$/.test(metadata)) return metadata;
  throw new Error('Invalid Metadata string');
}

export function versionText({
  major,
  minor,
  patch,
  prerelease,
  metadata,
}: Omit<Version, 'original'>): string {
  const suffix = (prerelease === '' ? '' : `-${prerelease}`) + (metadata === '' ? '' : `+${metadata}`);
  return `${major}.${minor}.${patch}${suffix}`;
}

/** Compares versions by the specification, which ignores metadata. */
export function compareVersions(a: Version, b: Version): -1 | 0 | 1 {
  return (
    compare(a.major, b.major) ||
    compare(a.minor, b.minor) ||
    compare(a.patch, b.patch) ||
    comparePrereleases(a.prerelease, b.prerelease)
  );
}

function segment(digits: string): bigint {
  const value = toNumber(digits.replace(/^0+(?=\d)/, ''));
  if (value !== undefined) return value;
  throw new Error(
    `Error parsing version segment: strconv.ParseUint: parsing "${digits}": value out of range`,
  );
}

function compare<T extends bigint | number | string>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A version is greater than all of its prereleases. */
function comparePrereleases(a: string, b: string): -1 | 0 | 1 {
  if (a === b) return 0;
  if (a === '' || b === '') return a === '' ? 1 : -1;
  const [left, right] = [a.split('.'), b.split('.')];
  const at = left.findIndex((part, i) => part !== right[i]);
  if (at < 0) return -1;
  return compareIdentifiers(left[at] ?? '', right[at]);
}

/** Numbers come before words. Masterminds treats a number that does not fit into 64 bits as a word. */
function compareIdentifiers(a: string, b: string | undefined): -1 | 0 | 1 {
  if (b === undefined) return 1;
  const [x, y] = [toNumber(a), toNumber(b)];
  if (x !== undefined && y !== undefined) return compare(x, y);
  if (x === undefined && y === undefined) return compare(a, b);
  return x === undefined ? 1 : -1;
}

function toNumber(digits: string): bigint | undefined {
  if (!/^\d{1,20}$/.test(digits)) return undefined;
  const value = BigInt(digits);
  return value <= MAX_UINT64 ? value : undefined;
}
