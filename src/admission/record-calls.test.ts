import { expect, it } from 'vitest';
import type { Replied } from '../sdk/calls.ts';
import { CallRecord, MOST_ACCESS_CALLS, MOST_CALL_ROUNDS } from './record-calls.ts';

const service = { url: 'https://provider.example.com', timeoutMs: 100, body: {} };
const access = (user: string) => ({ access: { user } });

it('collects each call once, and knows its reply in the next run', () => {
  const first = new CallRecord([], 0);
  expect(first.reply(access('ann'))).toBeUndefined();
  expect(first.reply(access('ann'))).toBeUndefined();
  expect(first.reply(service)).toBeUndefined();
  expect(first.missing).toEqual([access('ann'), service]);
  const replies = first.missing.map((call): Replied => ({ call, reply: { body: { is: 'known' } } }));
  const second = new CallRecord(replies, 1);
  expect(second.reply(access('ann'))).toEqual({ body: { is: 'known' } });
  expect(second.reply(access('bob'))).toBeUndefined();
  expect(second.missing).toEqual([access('bob')]);
});

it('limits the rounds of calls to services, and not those of questions to the authorizer', () => {
  const record = new CallRecord([], MOST_CALL_ROUNDS);
  expect(record.reply(service)).toEqual({ failure: 'no reply after 3 rounds of calls' });
  expect(record.reply(access('ann'))).toBeUndefined();
  expect(record.missing).toEqual([access('ann')]);
});

it('limits the questions to the authorizer in all rounds of a review', () => {
  const users = Array.from({ length: MOST_ACCESS_CALLS }, (_, index) => `user-${index}`);
  const replies = users
    .slice(1)
    .map((user): Replied => ({ call: access(user), reply: { body: { allowed: true } } }));
  const record = new CallRecord(replies, 0);
  expect(record.reply(access('user-0'))).toBeUndefined();
  expect(record.reply(access('ann'))).toEqual({
    failure: 'more than 32 questions to the authorizer in one review',
  });
  expect(record.reply(access('user-1'))).toEqual({ body: { allowed: true } });
  expect(record.missing).toEqual([access('user-0')]);
});
