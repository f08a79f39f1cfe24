import { isDeepStrictEqual } from 'node:util';
import { applyPatch as applyIndependently } from 'rfc6902';
import { type Answer, answerReview, type ReviewOptions } from '../../src/admission/answer-review.ts';
import { applyPatch } from '../../src/json/apply-patch.ts';
import type { Json, JsonObject } from '../../src/json/json.ts';
import type { Patch } from '../../src/json/operation.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { groupOf } from '../../src/kube/resource.ts';
import { decodeTyped } from '../../src/kube/typed/decode.ts';
import { type StructType, typedKind } from '../../src/kube/typed/schema.ts';
import { runManifest } from '../../src/pipeline/run-manifest.ts';
import { PodgraftError } from '../../src/podgraft-error.ts';
import { withApiDefaults } from '../../src/testing/api-defaults.ts';
import { deepFreeze } from '../../src/testing/laws.ts';

/** A law that an object violates. */
export class Broken extends Error {}

const LONGEST_MESSAGE = 4096;
/** Beyond it, etcd rejects the object. */
const LARGEST_GROWTH = 8 * 1024 * 1024;

/** What a review has besides its object. */
export interface ReviewKind {
  readonly operation?: 'CREATE' | 'UPDATE';
  readonly oldObject?: object;
}

/** Sends an object through admission, from bytes to bytes, and checks every law. Returns whether it was changed. */
export function checkObject(
  object: object,
  namespace: string,
  options: ReviewOptions,
  kind: ReviewKind = {},
): boolean {
  const text = reviewText(object, namespace, kind);
  const response = responseOf(text, options);
  const sent = (JSON.parse(text) as { request: { object: JsonObject } }).request.object;
  const pod = sent as unknown as KubeObject;
  untouched(pod, namespace, options);
  if (!response.allowed) {
    if (!REASONS.some((known) => known.test(response.reason)))
      throw new Broken(`it is denied for no known reason: ${response.reason}`);
    return false;
  }
  const result = response.patch === undefined ? sent : patched(sent, response.patch);
  accepted(result, namespace, options, kind);
  if (response.patch === undefined) return false;
  settled(result, namespace, options, kind, 'a second run changes nothing');
  if (sent.kind === 'Pod') {
    const stored = asStored(result);
    if (stored) settled(stored, namespace, options, kind, 'a second run after API defaults changes nothing');
  }
  return true;
}

/** Each names what a user or the configuration has set: an annotation, a guardrail, a policy, a mutator or an expression. */
const REASONS: readonly RegExp[] = [
  /^Cannot read annotation "/,
  /^Cannot inject Filebeat: annotation "/,
  /^Cannot inject: (unknown )?template/,
  /^Cannot inject: (annotation|setting) "/,
  // Of a container that a template renders, with texts of annotations in it.
  /^Cannot inject: Cannot merge "/,
  // By `strict`: what an annotation or a ServiceAccount names.
  /^cannot (inject [a-z-]+( into container "[^"]*")?|instrument the Pod|add a collector): /,
  /^no AWS credentials were injected: /,
  // Their own tokens, which would be in the way.
  /^container ".*" (sets "AWS_|reads ")/s,
  /^volume ".*" is not a token volume: /s,
  /^Cannot inject AWS credentials: .*"allowed\./s,
  /^role ".*" of ServiceAccount ".*" does not (look like the ARN of an IAM role|match "allowed\.roleArns")/s,
  /^Injector "overlay-expressions" failed: expression '/,
  /^Injector "gatekeeper" failed: (Assign|AssignMetadata|AssignImage|ModifySet) "/,
  /^(Mutating|Validating)?AdmissionPolicy "/,
];

/** What the mutating webhook has allowed passes the validating one. */
function accepted(result: object, namespace: string, options: ReviewOptions, kind: ReviewKind): void {
  const { allowed, reason } = responseOf(reviewText(result, namespace, kind), {
    ...options,
    finalCheck: 'deny',
  });
  if (!allowed) throw new Broken(`the final check accepts what was injected, but: ${reason}`);
}

/** Checks only that there is an answer, within its limits. */
export function checkText(text: string, options: ReviewOptions): void {
  responseOf(text, options);
}

/** Undefined if the API server would not have decoded the object. */
function asStored(pod: JsonObject): JsonObject | undefined {
  const decoded = decodeTyped(pod, typedKind('v1', 'Pod') as StructType);
  if ('error' in decoded && !decoded.isWritable) return undefined;
  try {
    return withApiDefaults(pod);
  } catch (error) {
    if (error instanceof PodgraftError && error.code === 'QUANTITY_INVALID') return undefined;
    throw error;
  }
}

/** Any bytes: an answer, or the error that the server turns into 400. */
export function checkBytes(body: Buffer, options: ReviewOptions): void {
  try {
    const answer = answerReview(body, options) as Answer;
    JSON.parse(answer.body);
  } catch (error) {
    if (!(error instanceof PodgraftError) || error.code !== 'REVIEW_INVALID') throw failure(error);
    if (error.message.length > LONGEST_MESSAGE) throw new Broken('the message of a bad review is too long');
  }
}

export function reviewText(
  object: object,
  namespace: string,
  { operation = 'CREATE', oldObject }: ReviewKind = {},
): string {
  const { apiVersion, kind } = object as { apiVersion: string; kind: string };
  const group = groupOf(apiVersion);
  const version = apiVersion.slice(group === '' ? 0 : group.length + 1);
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'u',
      operation,
      kind: { group, version, kind },
      namespace,
      userInfo: { username: 'fuzz' },
      object,
      ...(oldObject && { oldObject }),
    },
  });
}

interface Response {
  readonly allowed: boolean;
  readonly reason: string;
  readonly patch?: Patch;
}

function responseOf(text: string, options: ReviewOptions): Response {
  const body = Buffer.from(text);
  let answer: Answer;
  try {
    answer = answerReview(body, options) as Answer;
  } catch (error) {
    throw failure(error);
  }
  if (answer.body.length > 2 * body.length + LARGEST_GROWTH) throw new Broken('the answer is too large');
  const { response } = JSON.parse(answer.body) as { response: Record<string, unknown> };
  const {
    allowed,
    patch,
    warnings = [],
    status,
  } = response as {
    allowed: boolean;
    patch?: string;
    warnings?: string[];
    status?: { message: string };
  };
  for (const message of [...warnings, status?.message ?? '']) {
    if (Buffer.byteLength(message) > LONGEST_MESSAGE) throw new Broken('a message is too long');
  }
  return {
    allowed,
    reason: status?.message ?? '',
    ...(patch !== undefined && { patch: JSON.parse(Buffer.from(patch, 'base64').toString()) as Patch }),
  };
}

/** Any exception that reaches the server's edge is a 500. */
function failure(error: unknown): Error {
  if (error instanceof Broken) return error;
  return new Broken(error instanceof Error ? error.message : String(error), { cause: error });
}

/** Writing to a frozen object throws, which the run reports as a failed injector. Workloads include the Pods of their template. */
function untouched(object: KubeObject, namespace: string, { pipeline, cluster, files }: ReviewOptions): void {
  // Files without metadata are rejected when they are read.
  if (typeof object.metadata !== 'object' || object.metadata === null) return;
  const frozen = deepFreeze(structuredClone(object));
  try {
    const request = { operation: 'CREATE', namespace, username: 'fuzz' } as const;
    // As `inject` and `explain` do, and as admission does.
    for (const defaults of [true, false])
      runManifest(pipeline, frozen, { ...request, defaults }, cluster, files);
  } catch (error) {
    throw failure(error);
  }
}

/** By podgraft's own implementation and an independent one, which rejects these names. */
function patched(object: JsonObject, patch: Patch): JsonObject {
  const result = applyPatch(object, patch) as JsonObject;
  if (patch.some(({ path }) => /\/(__proto__|constructor|prototype)(\/|$)/.test(path))) return result;
  const copy = structuredClone(object) as Json;
  const failed = applyIndependently(copy, structuredClone(patch) as never).find((error) => error !== null);
  if (failed) throw new Broken(`the patch does not apply: ${failed.message}`);
  if (!isDeepStrictEqual(copy, result))
    throw new Broken('two implementations of JSON Patch give different objects');
  return result;
}

function settled(
  object: object,
  namespace: string,
  options: ReviewOptions,
  kind: ReviewKind,
  law: string,
): void {
  const { allowed, patch } = responseOf(reviewText(object, namespace, kind), options);
  if (!allowed) throw new Broken(`${law}, but it is denied`);
  if (patch !== undefined) throw new Broken(`${law}, but there is ${JSON.stringify(patch[0]).slice(0, 300)}`);
}
