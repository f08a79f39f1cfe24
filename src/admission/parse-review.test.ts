import { expect, test } from 'vitest';
import { parseReview } from './parse-review.ts';

const userInfoOf = (userInfo: object) => {
  const request = {
    uid: 'u',
    operation: 'CREATE',
    kind: { group: '', version: 'v1', kind: 'Pod' },
    userInfo,
  };
  const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request };
  const parsed = parseReview(Buffer.from(JSON.stringify(review)));
  return 'problem' in parsed ? parsed.problem : parsed.request.userInfo;
};

test.each<[object, object?]>([
  [{ username: 'ann', uid: '1', groups: ['a'], extra: { k: ['v'] } }],
  [{ username: 'ann', groups: null, extra: null }, { username: 'ann' }],
  [
    { username: 'ann', uid: '1', groups: null },
    { username: 'ann', uid: '1' },
  ],
  [{ groups: ['a'] }, { username: '' }],
])('the user %j has no nulls', (userInfo, expected = userInfo) => {
  expect(userInfoOf(userInfo)).toEqual(expected);
});
