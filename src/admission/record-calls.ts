import type { Call, CallView, Replied, Reply } from '../sdk/calls.ts';

/** Limits how often calls to services may depend on earlier replies. */
export const MOST_CALL_ROUNDS = 3;

/** The cost limits of expressions allow 28 questions for one mutation, or for all validations of a policy. */
export const MOST_ACCESS_CALLS = 32;

/**
 * Knows the replies so far, and collects the calls that injectors still wait for. A class: every literal with a getter has its
 * own hidden class, which keeps the review alive until the next full garbage collection.
 */
export class CallRecord implements CallView {
  readonly replies: readonly Replied[];
  /** Of calls to services. */
  readonly #round: number;
  // Few injectors make calls.
  #known: ReadonlyMap<string, Reply> | undefined;
  #missing: Map<string, Call> | undefined;

  constructor(replies: readonly Replied[], round: number) {
    this.replies = replies;
    this.#round = round;
  }

  reply(call: Call): Reply | undefined {
    const key = callKey(call);
    this.#known ??= new Map(this.replies.map(({ call, reply }) => [callKey(call), reply]));
    const reply = this.#known.get(key);
    if (reply !== undefined) return reply;
    if (this.#missing?.has(key)) return undefined;
    const failure = 'access' in call ? this.#accessRefusal() : this.#serviceRefusal();
    if (failure !== undefined) return { failure };
    this.#missing ??= new Map();
    this.#missing.set(key, call);
    return undefined;
  }

  get missing(): readonly Call[] {
    return this.#missing === undefined ? NO_CALLS_MISSING : [...this.#missing.values()];
  }

  #serviceRefusal(): string | undefined {
    return this.#round < MOST_CALL_ROUNDS ? undefined : `no reply after ${MOST_CALL_ROUNDS} rounds of calls`;
  }

  /** Their number limits the rounds too. */
  #accessRefusal(): string | undefined {
    const accessCalls = [...this.replies.map(({ call }) => call), ...this.missing].filter(
      (call) => 'access' in call,
    );
    if (accessCalls.length < MOST_ACCESS_CALLS) return undefined;
    return `more than ${MOST_ACCESS_CALLS} questions to the authorizer in one review`;
  }
}

const NO_CALLS_MISSING: readonly Call[] = [];

function callKey(call: Call): string {
  return 'access' in call ? JSON.stringify(call.access) : JSON.stringify([call.url, call.ca, call.body]);
}
