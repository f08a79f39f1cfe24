import type { Call, CallView, Replied, Reply } from '../sdk/calls.ts';

/** Knows the replies so far, and collects the calls that injectors still wait for. */
export interface CallRecord extends CallView {
  readonly missing: readonly Call[];
}

/** What an injector asks for may depend on other replies, but not without end. */
export const MOST_CALL_ROUNDS = 3;

export function recordCalls(replies: readonly Replied[], round: number): CallRecord {
  // Few injectors make calls.
  let known: ReadonlyMap<string, Reply> | undefined;
  let missing: Map<string, Call> | undefined;
  return {
    replies,
    reply(call) {
      const key = keyOf(call);
      known ??= new Map(replies.map(({ call, reply }) => [keyOf(call), reply]));
      const reply = known.get(key);
      if (reply !== undefined) return reply;
      if (round >= MOST_CALL_ROUNDS) return { failure: `no reply after ${MOST_CALL_ROUNDS} rounds of calls` };
      missing ??= new Map();
      missing.set(key, call);
      return undefined;
    },
    get missing() {
      return missing === undefined ? NO_CALLS_MISSING : [...missing.values()];
    },
  };
}

const NO_CALLS_MISSING: readonly Call[] = [];

function keyOf({ url, ca, body }: Call): string {
  return JSON.stringify([url, ca, body]);
}
