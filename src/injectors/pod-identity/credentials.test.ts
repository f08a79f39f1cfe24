import { expect, test } from 'vitest';
import { looksLikeRoleArn } from './credentials.ts';

test.each([
  'arn:aws:iam::444455556666:role/reports',
  'arn:aws-us-gov:iam::444455556666:role/team-a/re.ports_@+=,-1',
  'arn:aws-cn:iam::444455556666:role/reports',
  'arn:aws-iso-b:iam::444455556666:role/a/b/reports',
  'arn:aws-iso-e:iam::444455556666:role/reports',
  'arn:aws-eusc:iam::444455556666:role/aws-service-role/x.amazonaws.com/reports',
])('%s looks like a role ARN', (arn) => {
  expect(looksLikeRoleArn(arn)).toBe(true);
});

test.each([
  'reports',
  'arn:aws:iam::44445555666:role/reports',
  'arn:aws:iam::444455556666:user/reports',
  'arn:aws:iam::444455556666:role/',
  'arn:aws:iam::444455556666:role/re ports',
  ' arn:aws:iam::444455556666:role/reports',
])('%j does not look like a role ARN', (arn) => {
  expect(looksLikeRoleArn(arn)).toBe(false);
});
