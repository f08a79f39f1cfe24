import { expect, test } from 'vitest';
import { readSettings } from './settings.ts';

test.each([
  [{ region: 'eu-central-1' }, 'region: unknown key "region"'],
  [{ tokenMountPath: 'var/run' }, 'tokenMountPath: expected an absolute path without ":"'],
  [{ tokenExpiration: 1.5 }, 'tokenExpiration: expected a whole number of seconds'],
  [{ tokenAudience: '' }, 'tokenAudience: must not be empty'],
  [{ accountId: 444455556666 }, 'accountId: expected string, found 444455556666'],
  [{ accountId: '4444' }, 'accountId: expected the 12 digits of an AWS account'],
  [
    { composeRoleArn: true },
    'accountId: needed for "composeRoleArn"; partition: needed for "composeRoleArn", unless "awsDefaultRegion" tells it',
  ],
  [
    { containerCredentialsTokenVolumeName: 'Not a name' },
    'containerCredentialsTokenVolumeName: expected the name of a volume',
  ],
  [{ containerCredentialsTokenPath: '../token' }, 'containerCredentialsTokenPath: expected a relative path'],
  [
    { containerCredentialsTokenPath: 'a/../token' },
    'containerCredentialsTokenPath: expected a relative path',
  ],
])('%j is refused: %s', (raw, message) => {
  expect(() => readSettings(raw)).toThrow(message);
});

test('a partition that is given counts more than the region', () => {
  const { rolePrefix } = readSettings({
    composeRoleArn: true,
    accountId: '444455556666',
    partition: 'aws-iso-f',
    awsDefaultRegion: 'us-isof-south-1',
  });
  expect(rolePrefix).toBe('arn:aws-iso-f:iam::444455556666:role/');
});

test('flags that are not needed may stay', () => {
  expect(() => readSettings({ serviceAccountLookupGracePeriod: '100ms', resyncPeriod: '60s' })).not.toThrow();
});
