import type { Call, CallView, Replied, Reply } from '../sdk/calls.ts';

/** Limits how often calls may depend on earlier replies. */
export const MOST_CALL_ROUNDS = 3;

/**
 * Knows the replies so far, and collects the calls that injectors still wait for. A class: every literal with a getter has its
 * own hidden class, which keeps the review alive until the next full garbage collection.
 */
export class CallRecord implements CallView {
  readonly replies: readonly Replied[];
  readonly #round: number;
  // Few injectors make calls.
  #known: ReadonlyMap<string, Reply> | undefined;
  #missing: Map<string, Call> | undefined;

  constructor(replies: readonly Replied[], round: number) {
    this.replies = replies;
    this.#round = round;
  }

  reply(call: Call): Reply | undefined {
    const key = keyOf(call);
    this.#known ??= new Map(this.replies.map(({ call, reply }) => [keyOf(call), reply]));
    const reply = this.#known.get(key);
    if (reply !== undefined) return reply;
    if (this.#round >= MOST_CALL_ROUNDS)
      return { failure: `no reply after ${MOST_CALL_ROUNDS} rounds of calls` };
    this.#missing ??= new Map();
    this.#missing.set(key, call);
    return undefined;
  }

  get missing(): readonly Call[] {
    return this.#missing === undefined ? NO_CALLS_MISSING : [...this.#missing.values()];
  }
}

const NO_CALLS_MISSING: readonly Call[] = [];

function keyOf({ url, ca, body }: Call): string {
  return JSON.stringify([url, ca, body]);
}
