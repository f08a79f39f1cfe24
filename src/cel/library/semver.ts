import { MAX_UINT64 } from '../../golang/parse-number.ts';
import { quote } from '../../golang/strconv.ts';
import { byteLength } from '../../golang/utf8.ts';
import { CelError } from '../cel-error.ts';

export interface Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Numbers are bigints. */
  readonly prerelease: readonly (bigint | string)[];
  readonly build: readonly string[];
}

/** Normalising strips one `v`, adds missing numbers and drops leading zeros. */
export function toSemver(text: string, normalize = false): Semver {
  const version = parse(text, normalize);
  if (typeof version === 'string') throw new CelError(version);
  return version;
}

export function isSemver(text: string, normalize = false): boolean {
  return typeof parse(text, normalize) !== 'string';
}

export function semverToString({ major, minor, patch, prerelease, build }: Semver): string {
  const suffix =
    (prerelease.length === 0 ? '' : `-${prerelease.join('.')}`) +
    (build.length === 0 ? '' : `+${build.join('.')}`);
  return `${major}.${minor}.${patch}${suffix}`;
}

/** -1, 0 or 1; ignores build metadata. */
export function compareSemvers(left: Semver, right: Semver): -1 | 0 | 1 {
  return (
    compare(left.major, right.major) ||
    compare(left.minor, right.minor) ||
    compare(left.patch, right.patch) ||
    comparePrereleases(left.prerelease, right.prerelease)
  );
}

/** Go stores a uint64 and returns it as an int64, without a check. */
export function semverNumber(semver: Semver, field: 'major' | 'minor' | 'patch'): bigint {
  return BigInt.asIntN(64, semver[field]);
}

/** A version is greater than its prereleases, and numbers are less than words. */
function comparePrereleases(left: Semver['prerelease'], right: Semver['prerelease']): -1 | 0 | 1 {
  if (left.length === 0 || right.length === 0) return compare(right.length, left.length);
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compareIdentifiers(left[i] ?? '', right[i] ?? '');
    if (order !== 0) return order;
  }
  return compare(left.length, right.length);
}

function compareIdentifiers(left: bigint | string, right: bigint | string): -1 | 0 | 1 {
  if (typeof left !== typeof right) return typeof left === 'bigint' ? -1 : 1;
  return compare(left, right);
}

function compare<T extends bigint | number | string>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}

function parse(text: string, normalize: boolean): Semver | string {
  const parts = splitThree(normalize && text.startsWith('v') ? text.slice(1) : text);
  const problem = normalize ? normalizeParts(parts) : undefined;
  if (problem !== undefined) return problem;
  if (text === '' && !normalize) return 'Version string empty';
  const [first = '', second = '', rest] = parts;
  if (rest === undefined) return 'No Major.Minor.Patch elements found';
  const major = parseNumber('major', first);
  if (typeof major === 'string') return major;
  const minor = parseNumber('minor', second);
  if (typeof minor === 'string') return minor;
  return parsePatch(major, minor, rest);
}

function splitThree(text: string): string[] {
  const first = text.indexOf('.');
  const second = first < 0 ? -1 : text.indexOf('.', first + 1);
  if (second >= 0) return [text.slice(0, first), text.slice(first + 1, second), text.slice(second + 1)];
  return first < 0 ? [text] : [text.slice(0, first), text.slice(first + 1)];
}

function normalizeParts(parts: string[]): string | undefined {
  for (const [i, part] of parts.entries()) {
    if (byteLength(part) < 2) continue;
    const stripped = part.replace(/^0+/, '');
    parts[i] = /^\d/.test(stripped) ? stripped : `0${stripped}`;
  }
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? ''))
    return 'short version cannot contain PreRelease/Build meta data';
  while (parts.length < 3) parts.push('0');
  return undefined;
}

function parsePatch(major: bigint, minor: bigint, text: string): Semver | string {
  const plus = text.indexOf('+');
  const version = plus < 0 ? text : text.slice(0, plus);
  const dash = version.indexOf('-');
  const patch = parseNumber('patch', dash < 0 ? version : version.slice(0, dash));
  if (typeof patch === 'string') return patch;
  const prerelease: (bigint | string)[] = [];
  for (const part of dash < 0 ? [] : version.slice(dash + 1).split('.')) {
    const identifier = parseIdentifier(part);
    if (typeof identifier === 'object') return identifier.problem;
    prerelease.push(identifier);
  }
  const build = plus < 0 ? [] : text.slice(plus + 1).split('.');
  for (const part of build) {
    if (part === '') return 'Build meta data is empty';
    if (!ALPHANUMERIC.test(part)) return `Invalid character(s) found in build meta data ${quote(part)}`;
  }
  return { major, minor, patch, prerelease, build };
}

function parseNumber(name: string, digits: string): bigint | string {
  if (!/^\d*$/.test(digits)) return `Invalid character(s) found in ${name} number ${quote(digits)}`;
  if (/^0\d/.test(digits))
    return `${name.charAt(0).toUpperCase()}${name.slice(1)} number must not contain leading zeroes ${quote(digits)}`;
  return parseUint(digits);
}

function parseIdentifier(text: string): bigint | string | { problem: string } {
  if (text === '') return { problem: 'Prerelease is empty' };
  if (!/^\d+$/.test(text))
    return ALPHANUMERIC.test(text)
      ? text
      : { problem: `Invalid character(s) found in prerelease ${quote(text)}` };
  if (/^0\d/.test(text))
    return { problem: `Numeric PreRelease version must not contain leading zeroes ${quote(text)}` };
  const number = parseUint(text);
  return typeof number === 'string' ? { problem: number } : number;
}

function parseUint(digits: string): bigint | string {
  if (digits === '') return 'strconv.ParseUint: parsing "": invalid syntax';
  const value = digits.length > 20 ? undefined : BigInt(digits);
  if (value !== undefined && value <= MAX_UINT64) return value;
  return `strconv.ParseUint: parsing "${digits}": value out of range`;
}

const ALPHANUMERIC = /^[0-9A-Za-z-]*$/;
