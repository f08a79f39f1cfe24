import { expect, test } from 'vitest';
import { looksLikeRoleArn, partitionOf } from './role-arn.ts';

test.each([
  'arn:aws:iam::444455556666:role/reports',
  'arn:aws-us-gov:iam::444455556666:role/team-a/re.ports_@+=,-1',
  'arn:aws-cn:iam::444455556666:role/reports',
  'arn:aws-iso-b:iam::444455556666:role/a/b/reports',
  'arn:aws-iso-e:iam::444455556666:role/reports',
  'arn:aws-eusc:iam::444455556666:role/aws-service-role/x.amazonaws.com/reports',
])('%s looks like a role', (arn) => {
  expect(looksLikeRoleArn(arn)).toBe(true);
});

test.each([
  'reports',
  'arn:aws:iam::44445555666:role/reports',
  'arn:aws:iam::444455556666:user/reports',
  'arn:aws:iam::444455556666:role/',
  'arn:aws:iam::444455556666:role/re ports',
  ' arn:aws:iam::444455556666:role/reports',
])('%j does not', (arn) => {
  expect(looksLikeRoleArn(arn)).toBe(false);
});

test.each([
  ['eu-central-1', 'aws'],
  ['', 'aws'],
  ['cn-north-1', 'aws-cn'],
  ['us-gov-west-1', 'aws-us-gov'],
  ['us-iso-east-1', 'aws-iso'],
  ['us-isob-east-1', 'aws-iso-b'],
  ['eusc-de-east-1', 'aws-eusc'],
])('region "%s" lies in partition %s', (region, partition) => {
  expect(partitionOf(region)).toBe(partition);
});
