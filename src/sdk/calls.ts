import type { Json, JsonObject } from '../json/json.ts';

/**
 * A question to another service or to the cluster's authorizer. It is data: the server makes the call, then runs the injectors
 * again with the reply, so that they stay pure and synchronous.
 */
export type Call = ServiceCall | AccessCall;

/** A POST over HTTPS. */
export interface ServiceCall {
  readonly url: string;
  /** The CA to trust, in PEM; the system's CAs if absent. */
  readonly ca?: string;
  readonly timeoutMs: number;
  readonly body: Json;
}

/** A question to the cluster's authorizer, which an injector may ask if its `asksAuthorizer` returns true. */
export interface AccessCall {
  /** The `spec` of a SubjectAccessReview. The body of the reply is its `status`. */
  readonly access: JsonObject;
}

export type Reply = { readonly body: Json } | { readonly failure: string };

export interface CallView {
  /** Undefined if there is no reply yet. Any verdict will do then: it is discarded, and the injector is called again. */
  reply(call: Call): Reply | undefined;
  /** The replies to this request's calls so far, in no particular order. */
  readonly replies: readonly Replied[];
}

export interface Replied {
  readonly call: Call;
  readonly reply: Reply;
}

/** For runs that cannot wait, such as those of the command line. */
export const NO_CALLS: CallView = {
  reply: () => ({ failure: 'only the server makes calls' }),
  replies: [],
};
