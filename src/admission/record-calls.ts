import type { Call, CallView, Replied } from '../sdk/calls.ts';

/** Knows the replies so far, and collects the calls that injectors still wait for. */
export interface CallRecord extends CallView {
  readonly missing: readonly Call[];
}

/** What an injector asks for may depend on other replies, but not without end. */
export const MOST_CALL_ROUNDS = 3;

export function recordCalls(replies: readonly Replied[], round: number): CallRecord {
  const known = new Map(replies.map(({ call, reply }) => [keyOf(call), reply]));
  const missing = new Map<string, Call>();
  return {
    replies,
    reply(call) {
      const key = keyOf(call);
      const reply = known.get(key);
      if (reply !== undefined) return reply;
      if (round >= MOST_CALL_ROUNDS) return { failure: `no reply after ${MOST_CALL_ROUNDS} rounds of calls` };
      missing.set(key, call);
      return undefined;
    },
    get missing() {
      return [...missing.values()];
    },
  };
}

function keyOf({ url, ca, body }: Call): string {
  return JSON.stringify([url, ca, body]);
}
