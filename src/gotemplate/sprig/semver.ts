import { type FunctionMap, func, metered } from '../func.ts';
import { int, intOf, structType } from '../host-values.ts';
import { meetsConstraints, parseConstraints } from '../semver/constraints.ts';
import {
  checkMetadata,
  checkPrerelease,
  compareVersions,
  parseVersion,
  type Version,
  versionText,
} from '../semver/version.ts';
import type { Method, Methods, Struct, Value } from '../values.ts';

/** Sprig's functions on semantic versions. */
export const SEMVER: FunctionMap = {
  semver: func('func(string) (*semver.Version, error)', (text: string) =>
    parsedVersion.pointer(parseVersion(text)),
  ),
  semverCompare: metered(
    'func(string, string) (bool, error)',
    (meter, constraint: string, version: string) => {
      // The search for ranges such as `1.2 - 1.4` takes quadratic time.
      meter.spend(Math.floor(constraint.length ** 2 / 1024));
      const constraints = parseConstraints(constraint);
      return meetsConstraints(parseVersion(version), constraints);
    },
  ),
};

type VersionMethods = Methods<Version>;

/** The methods of semver.Version, except those for databases and encoders. */
const VALUE_METHODS: VersionMethods = {
  Major: ({ major }) => intOf('uint64', major),
  Minor: ({ minor }) => intOf('uint64', minor),
  Patch: ({ patch }) => intOf('uint64', patch),
  Prerelease: ({ prerelease }) => prerelease,
  Metadata: ({ metadata }) => metadata,
  String: versionText,
  IncMajor: ({ major }) => release(major + 1n, 0n, 0n),
  IncMinor: ({ major, minor }) => release(major, minor + 1n, 0n),
  // 1.2.3 is the next patch of 1.2.3-beta.
  IncPatch: ({ major, minor, patch, prerelease }) =>
    release(major, minor, prerelease === '' ? patch + 1n : patch),
  SetPrerelease: {
    signature: 'func(string) (semver.Version, error)',
    call: (version: Version, prerelease: Value) =>
      changed({ ...version, prerelease: checkPrerelease(prerelease as string) }),
  },
  SetMetadata: {
    signature: 'func(string) (semver.Version, error)',
    call: (version: Version, metadata: Value) =>
      changed({ ...version, metadata: checkMetadata(metadata as string) }),
  },
};

const POINTER_METHODS: VersionMethods = {
  ...VALUE_METHODS,
  Original: ({ original }) => original,
  Compare: comparison('int', (order) => int(order)),
  Equal: comparison('bool', (order) => order === 0),
  LessThan: comparison('bool', (order) => order < 0),
  LessThanEqual: comparison('bool', (order) => order <= 0),
  GreaterThan: comparison('bool', (order) => order > 0),
  GreaterThanEqual: comparison('bool', (order) => order >= 0),
};

const parsedVersion = versionType(POINTER_METHODS);
/** The results of methods are not addressable in Go, so methods with a pointer receiver are missing. */
const versionValue = versionType(VALUE_METHODS);

function versionType(methods: VersionMethods) {
  return structType<Version>({
    name: 'semver.Version',
    fields: {
      major: ({ major }) => intOf('uint64', major),
      minor: ({ minor }) => intOf('uint64', minor),
      patch: ({ patch }) => intOf('uint64', patch),
      pre: ({ prerelease }) => prerelease,
      metadata: ({ metadata }) => metadata,
      original: ({ original }) => original,
    },
    // No function returns a nil pointer.
    methods: methods as Methods<Version | null>,
    json: versionText,
  });
}

function comparison(result: string, answer: (order: -1 | 0 | 1) => Value): Method<Version> {
  return {
    signature: `func(*semver.Version) ${result}`,
    call: (version, other) => {
      if (other === null) throw new Error('runtime error: invalid memory address or nil pointer dereference');
      return answer(compareVersions(version, (other as Struct).raw as Version));
    },
  };
}

function release(major: bigint, minor: bigint, patch: bigint): Struct {
  const wrap = (number: bigint) => BigInt.asUintN(64, number);
  return changed({
    major: wrap(major),
    minor: wrap(minor),
    patch: wrap(patch),
    prerelease: '',
    metadata: '',
  });
}

function changed(version: Omit<Version, 'original'>): Struct {
  return versionValue.of({ ...version, original: versionText(version) });
}
