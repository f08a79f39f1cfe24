import { compareVersions, parseVersion, SUFFIX, type Version } from './version.ts';

/** A list of alternatives. An alternative is met if all of its constraints are. */
export type Constraints = readonly (readonly Constraint[])[];

interface Constraint {
  readonly meets: (version: Version, bound: Bound) => boolean;
  readonly bound: Bound;
}

/** The version in a constraint. Missing numbers and wildcards are 0. */
interface Bound extends Version {
  /** No minor version, as in `1` or `1.x`. */
  readonly anyMinor: boolean;
  /** A minor version but no patch, as in `1.2` or `1.2.x`. */
  readonly anyPatch: boolean;
  /** Not a complete version: one of the above, or `*`. */
  readonly isPartial: boolean;
}

/** Parses constraints such as `>= 1.2, < 3 || ~4.5` or `1.2 - 1.4`. */
export function parseConstraints(text: string): Constraints {
  return text.replace(HYPHEN_RANGE, '>= $<from>, <= $<to> ').split('||').map(parseAlternative);
}

export function meetsConstraints(version: Version, constraints: Constraints): boolean {
  return constraints.some((all) => all.every(({ meets, bound }) => meets(version, bound)));
}

const SPACE = '[\\t\\n\\f\\r ]';
const EDGES = new RegExp(`^${SPACE}+|${SPACE}+$`, 'g');
const SEPARATOR = new RegExp(`${SPACE}*,${SPACE}*|${SPACE}+`);
const AFTER_OPERATOR = new RegExp(`(?<=[=!<>~^])${SPACE}+(?=[0-9vxX*|])`, 'g');
// Masterminds' grammar admits any mix of these, `|` included. What is neither a number nor a wildcard fails later.
const NUMBER = '[0-9xX*|]+';
const BOUND = `v?(${NUMBER})(?:\\.(${NUMBER}))?(?:\\.(${NUMBER}))?${SUFFIX}`;
const HYPHEN_RANGE = new RegExp(`${SPACE}*(?<from>${BOUND})${SPACE}+-${SPACE}+(?<to>${BOUND})${SPACE}*`, 'g');
const CONSTRAINT = new RegExp(`^([=!<>~^]*)${BOUND}$`);

function parseAlternative(text: string): Constraint[] {
  const parts = text.replace(AFTER_OPERATOR, '').replace(EDGES, '').split(SEPARATOR);
  const matches = parts.map((part) => {
    const [, operator = '', ...bound] = CONSTRAINT.exec(part) ?? [undefined, 'none'];
    const meets = OPERATORS.get(operator);
    if (meets === undefined) throw new Error(`improper constraint: ${text}`);
    return { meets, bound };
  });
  return matches.map(({ meets, bound }) => ({ meets, bound: parseBound(bound) }));
}

function parseBound([major, minor, patch, prerelease, metadata]: readonly (string | undefined)[]): Bound {
  const isOpen = (part: string | undefined) => part === undefined || /^[xX*]$/.test(part);
  const anyMajor = isOpen(major);
  const anyMinor = !anyMajor && isOpen(minor);
  const anyPatch = !anyMajor && !anyMinor && isOpen(patch);
  const numbers = anyMajor ? ['0'] : anyMinor ? [major] : anyPatch ? [major, minor] : [major, minor, patch];
  const suffix =
    (prerelease === undefined ? '' : `-${prerelease}`) + (metadata === undefined ? '' : `+${metadata}`);
  const version = boundVersion(numbers.join('.') + suffix);
  return { ...version, anyMinor, anyPatch, isPartial: anyMajor || anyMinor || anyPatch };
}

function boundVersion(text: string): Version {
  try {
    return parseVersion(text);
  } catch {
    throw new Error('constraint Parser Error');
  }
}

const OPERATORS: ReadonlyMap<string, Constraint['meets']> = new Map([
  ['', isEqual],
  ['=', isEqual],
  ['!=', isDifferent],
  ['>', isGreater],
  ['<', (version, bound) => isComparable(version, bound) && compareVersions(version, bound) < 0],
  ['>=', isAtLeast],
  ['=>', isAtLeast],
  ['<=', isAtMost],
  ['=<', isAtMost],
  ['~', isPatchOf],
  ['~>', isPatchOf],
  ['^', isCompatible],
]);

/** A prerelease only meets constraints that name a prerelease themselves. */
function isComparable(version: Version, bound: Bound): boolean {
  return version.prerelease === '' || bound.prerelease !== '';
}

function isEqual(version: Version, bound: Bound): boolean {
  if (bound.isPartial) return isPatchOf(version, bound);
  return isComparable(version, bound) && compareVersions(version, bound) === 0;
}

function isDifferent(version: Version, bound: Bound): boolean {
  if (!bound.isPartial) return compareVersions(version, bound) !== 0;
  if (!isComparable(version, bound)) return false;
  if (version.major !== bound.major) return true;
  if (bound.anyMinor) return false;
  if (version.minor !== bound.minor) return true;
  return bound.anyPatch ? version.prerelease !== bound.prerelease : compareVersions(version, bound) !== 0;
}

function isGreater(version: Version, bound: Bound): boolean {
  if (!isComparable(version, bound)) return false;
  if (!bound.isPartial || version.major !== bound.major) return compareVersions(version, bound) > 0;
  if (bound.anyMinor) return false;
  return bound.anyPatch ? version.minor > bound.minor : compareVersions(version, bound) > 0;
}

function isAtLeast(version: Version, bound: Bound): boolean {
  return isComparable(version, bound) && compareVersions(version, bound) >= 0;
}

/** `<= 1.2` includes all patches of 1.2. */
function isAtMost(version: Version, bound: Bound): boolean {
  if (!isComparable(version, bound)) return false;
  if (!bound.isPartial) return compareVersions(version, bound) <= 0;
  if (version.major !== bound.major) return version.major < bound.major;
  return bound.anyMinor || version.minor <= bound.minor;
}

/** `~1.2.3`: the same minor version. `~1`: the same major version. */
function isPatchOf(version: Version, bound: Bound): boolean {
  if (!isAtLeast(version, bound)) return false;
  const isZero = bound.major === 0n && bound.minor === 0n && bound.patch === 0n;
  if (isZero && !bound.anyMinor && !bound.anyPatch) return true;
  return version.major === bound.major && (bound.anyMinor || version.minor === bound.minor);
}

/** `^1.2.3`: the same first number that is not 0. */
function isCompatible(version: Version, bound: Bound): boolean {
  if (!isAtLeast(version, bound) || version.major !== bound.major) return false;
  if (bound.major > 0n || bound.anyMinor) return true;
  if (version.minor !== bound.minor) return false;
  return bound.minor > 0n || bound.anyPatch || version.patch === bound.patch;
}
