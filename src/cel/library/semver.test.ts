import { expect, test } from 'vitest';
import { compareSemvers, isSemver, semverNumber, semverToString, toSemver } from './semver.ts';

test.each([
  ['1.2.3', false, '1.2.3'],
  ['1.2.3-alpha.1+build.05', false, '1.2.3-alpha.1+build.05'],
  ['v1.2.3', true, '1.2.3'],
  ['v1', true, '1.0.0'],
  ['1.2', true, '1.2.0'],
  ['01.002.03-rc', true, '1.2.3-rc'],
  ['000.0.0', true, '0.0.0'],
])('%s (normalize: %s) is %s', (text, normalize, expected) => {
  expect(semverToString(toSemver(text, normalize))).toBe(expected);
  expect(isSemver(text, normalize)).toBe(true);
});

test.each([
  ['', false, 'Version string empty'],
  ['1.2', false, 'No Major.Minor.Patch elements found'],
  ['v1.2.3', false, 'Invalid character(s) found in major number "v1"'],
  ['1.02.3', false, 'Minor number must not contain leading zeroes "02"'],
  ['1.2.x', false, 'Invalid character(s) found in patch number "x"'],
  ['1..3', false, 'strconv.ParseUint: parsing "": invalid syntax'],
  [
    '18446744073709551616.0.0',
    false,
    'strconv.ParseUint: parsing "18446744073709551616": value out of range',
  ],
  ['1.2.3-', false, 'Prerelease is empty'],
  ['1.2.3-01', false, 'Numeric PreRelease version must not contain leading zeroes "01"'],
  ['1.2.3-a_b', false, 'Invalid character(s) found in prerelease "a_b"'],
  ['1.2.3+', false, 'Build meta data is empty'],
  ['1.2.3+a_b', false, 'Invalid character(s) found in build meta data "a_b"'],
  ['1.2-rc', true, 'short version cannot contain PreRelease/Build meta data'],
  ['V1.2.3', true, 'Invalid character(s) found in major number "0V1"'],
  ['vv1', true, 'Invalid character(s) found in major number "0v1"'],
])('%j (normalize: %s) is not a version', (text, normalize, message) => {
  expect(isSemver(text, normalize)).toBe(false);
  expect(() => toSemver(text, normalize)).toThrow(message);
});

test('versions are ordered by the specification, without build metadata', () => {
  const ordered = [
    '1.0.0-1',
    '1.0.0-2',
    '1.0.0-10',
    '1.0.0-a',
    '1.0.0-a.1',
    '1.0.0-a.b',
    '1.0.0',
    '1.0.1',
    '1.1.0',
    '2.0.0',
  ];
  const versions = ordered.map((text) => toSemver(text));
  expect(versions.toReversed().toSorted(compareSemvers)).toEqual(versions);
  expect(compareSemvers(toSemver('1.0.0+a'), toSemver('1.0.0+b'))).toBe(0);
});

test('numbers beyond an int wrap around', () => {
  expect(semverNumber(toSemver('18446744073709551615.2.3'), 'major')).toBe(-1n);
  expect(semverNumber(toSemver('1.2.3'), 'patch')).toBe(3n);
});
