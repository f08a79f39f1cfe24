import { randomUUID } from 'node:crypto';
import { admit } from '../chain/admit.ts';
import { buildReview } from '../chain/build-review.ts';
import type { CallWebhook } from '../chain/call-webhook.ts';
import type { Outcome } from '../chain/outcome.ts';
import { type ReviewResponse, readAnswer, type WebhookAnswer } from '../chain/read-answer.ts';
import { type ChainRequest, resolveRequest } from '../chain/request.ts';
import type { JsonObject } from '../json/json.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { clusterObjects } from '../policy/cluster-objects.ts';
import { DISTURBER, disturbance } from './disturber.ts';
import { clusterObjectsFor, requestFor } from './request-for.ts';
import type { Subject } from './subject.ts';

/** Takes requests through the admission phase with the webhooks under test. */
export interface Session {
  readonly seed: number;
  /** The servers are in use: only dry runs are sent. */
  readonly isLive: boolean;
  /** Everything that the API server would do with only these webhooks, called in this order. */
  admit(subjects: readonly Subject[], request: ChainRequest, options?: AdmitOptions): Promise<Outcome>;
  /** One call, with the object exactly as given. */
  review(subject: Subject, request: ChainRequest): Promise<Reviewed>;
  /** The request that an object of the corpus stands for. */
  requestFor(subjects: readonly Subject[], object: JsonObject): ChainRequest;
}

export interface AdmitOptions {
  /** Answers that are used again for the same webhook and request. */
  readonly answers?: Map<string, Promise<WebhookAnswer>>;
  /** Changes the object after the last webhook, so that all are called again. */
  readonly disturb?: boolean;
}

export type Reviewed =
  | { readonly response: ReviewResponse; readonly milliseconds: number }
  | { readonly error: string; readonly milliseconds: number };

/** What all requests share. */
export interface SessionOptions {
  readonly objects?: readonly JsonObject[];
  readonly policies?: readonly JsonObject[];
  readonly isLive?: boolean;
  readonly seed?: number;
}

export function createSession(
  all: readonly Subject[],
  { objects: given = [], policies = [], isLive = false, seed = 1 }: SessionOptions,
): Session {
  return {
    seed,
    isLive,
    async admit(subjects, request, { answers, disturb = false } = {}) {
      let unreachable: PodgraftError | undefined;
      const callServer = ({ server }: Subject, review: JsonObject, timeoutMs: number) =>
        server.call(review, timeoutMs).catch((error: unknown) => {
          if (error instanceof PodgraftError) unreachable = error;
          throw error;
        });
      const call: CallWebhook = ({ configuration }, review, timeoutMs) => {
        const subject = subjects[Number(configuration.slice(0, 4))];
        if (subject === undefined) return disturbance(review);
        if (answers === undefined) return callServer(subject, review, timeoutMs);
        const key = `${subject.id} ${JSON.stringify({ ...(review.request as JsonObject), uid: '' })}`;
        const known = answers.get(key) ?? callServer(subject, review, timeoutMs);
        answers.set(key, known);
        return known.then((answer) => withUid(answer, review));
      };
      const configurations = subjects.map((subject, index) => configurationOf(subject, index, disturb));
      if (disturb) configurations.push(DISTURBER);
      const objects = clusterObjectsFor(subjects, given, request);
      const sent = isLive ? { ...request, dryRun: true } : request;
      const outcome = await admit(sent, { configurations: [...configurations, ...policies], objects, call });
      // The connection failed; the webhook was not tested.
      if (unreachable !== undefined) throw unreachable;
      return outcome;
    },
    async review({ webhook, server }, request) {
      const attributes = resolveRequest(
        isLive ? { ...request, dryRun: true } : request,
        clusterObjects(given).customResource,
      );
      const { kind, resource, object, oldObject } = attributes;
      const uid = randomUUID();
      const versioned = { original: attributes, kind, resource, object, oldObject };
      const review = buildReview(versioned, webhook.reviewVersion, uid);
      const started = performance.now();
      try {
        const answer = await server.call(review, webhook.timeoutSeconds * 1000);
        const milliseconds = performance.now() - started;
        const read = readAnswer(answer, webhook.reviewVersion);
        if ('error' in read) return { error: read.error, milliseconds };
        if (read.response === undefined) return { error: 'webhook response was absent', milliseconds };
        return { response: read.response, milliseconds };
      } catch (error) {
        if (error instanceof PodgraftError) throw error;
        return {
          error: error instanceof Error ? error.message : String(error),
          milliseconds: performance.now() - started,
        };
      }
    },
    requestFor: (subjects, object) => requestFor(subjects.length === 0 ? all : subjects, object),
  };
}

/** The names of configurations decide the order of calls. */
function configurationOf({ webhook }: Subject, index: number, isAgain: boolean): JsonObject {
  const source = isAgain ? { ...webhook.source, reinvocationPolicy: 'IfNeeded' } : webhook.source;
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: webhook.type === 'mutating' ? 'MutatingWebhookConfiguration' : 'ValidatingWebhookConfiguration',
    metadata: { name: `${String(index).padStart(4, '0')}-${webhook.configuration}` },
    webhooks: [source],
  };
}

/** An earlier answer, for the uid of this review. An unreadable answer stays as it is. */
function withUid(answer: WebhookAnswer, review: JsonObject): WebhookAnswer {
  try {
    const body = JSON.parse(answer.body) as JsonObject;
    const { uid } = review.request as JsonObject;
    return {
      ...answer,
      body: JSON.stringify({ ...body, response: { ...(body.response as JsonObject), uid } }),
    };
  } catch {
    return answer;
  }
}
