import { expect, test } from 'vitest';
import { partitionOf, readSettings } from './settings.ts';

test.each([
  [{ region: 'eu-central-1' }, 'region: unknown key "region"'],
  [{ tokenMountPath: 'var/run' }, 'tokenMountPath: expected an absolute path without ":"'],
  [{ tokenExpiration: 1.5 }, 'tokenExpiration: expected a whole number of seconds'],
  [{ tokenAudience: '' }, 'tokenAudience: must not be empty'],
  [{ accountId: 444455556666 }, 'accountId: expected string, found 444455556666'],
  [{ accountId: '4444' }, 'accountId: expected the 12 digits of an AWS account'],
  [
    { composeRoleArn: true },
    'accountId: required by "composeRoleArn"; partition: required by "composeRoleArn" unless "awsDefaultRegion" is set',
  ],
  [
    { containerCredentialsTokenVolumeName: 'Not a name' },
    'containerCredentialsTokenVolumeName: expected a volume name',
  ],
  [{ containerCredentialsTokenPath: '../token' }, 'containerCredentialsTokenPath: expected a relative path'],
  [
    { containerCredentialsTokenPath: 'a/../token' },
    'containerCredentialsTokenPath: expected a relative path',
  ],
  [{ allowed: { roles: [] } }, 'allowed.roles: unknown key "roles"'],
  [{ allowed: { audiences: [''] } }, 'allowed.audiences.0: must not be empty'],
  [{ allowed: { tokenExpiration: { min: 60 } } }, 'expected 600 to 4294967296 seconds'],
  [
    { allowed: { tokenExpiration: { min: 900, max: 800 } } },
    'allowed.tokenExpiration: expected "min" to be at most "max"',
  ],
])('%j is rejected: %s', (raw, message) => {
  expect(() => readSettings(raw)).toThrow(message);
});

test('an explicit partition overrides that of the region', () => {
  const { rolePrefix } = readSettings({
    composeRoleArn: true,
    accountId: '444455556666',
    partition: 'aws-iso-f',
    awsDefaultRegion: 'us-isof-south-1',
  });
  expect(rolePrefix).toBe('arn:aws-iso-f:iam::444455556666:role/');
});

test('flags without a meaning here are accepted', () => {
  expect(() => readSettings({ serviceAccountLookupGracePeriod: '100ms', resyncPeriod: '60s' })).not.toThrow();
});

test.each([
  ['eu-central-1', 'aws'],
  ['', 'aws'],
  ['cn-north-1', 'aws-cn'],
  ['us-gov-west-1', 'aws-us-gov'],
  ['us-iso-east-1', 'aws-iso'],
  ['us-isob-east-1', 'aws-iso-b'],
  ['eusc-de-east-1', 'aws-eusc'],
])('region "%s" is in partition %s', (region, partition) => {
  expect(partitionOf(region)).toBe(partition);
});
