import { type Answer, answerReview, type ReviewOptions } from '../admission/answer-review.ts';
import { applyPatch } from '../json/apply-patch.ts';
import type { Json } from '../json/json.ts';
import type { Patch } from '../json/operation.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import type { Request } from '../sdk/request.ts';

/** The answer to a review, and the object that the API server makes of it. */
export interface Served {
  readonly response: AdmissionResponse;
  readonly patch: Patch;
  readonly object: Json;
  readonly trace: Answer['trace'];
}

interface AdmissionResponse {
  readonly allowed: boolean;
  readonly status?: { readonly message: string };
  /** Encoded as base64. */
  readonly patch?: string;
}

/** Has the server's own function answer a review, from bytes to bytes, and applies the patch to the object that was sent. */
export function serveReview(request: Request, object: KubeObject, options: ReviewOptions): Served {
  const answer = answerReview(bytesOf(request, object), { ...options, path: request.path });
  if (answer instanceof Promise)
    throw new Error('it waits, although it has neither objects nor replies to wait for');
  return servedBy(answer, object);
}

/** The same with options that let the server wait for objects and replies. */
export async function serveWaiting(
  request: Request,
  object: KubeObject,
  options: ReviewOptions,
): Promise<Served> {
  return servedBy(await answerReview(bytesOf(request, object), { ...options, path: request.path }), object);
}

function bytesOf({ path, ...sent }: Request, object: KubeObject): Buffer {
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { ...sent, object },
  };
  return Buffer.from(JSON.stringify(review));
}

function servedBy({ body, trace }: Answer, object: KubeObject): Served {
  const { response } = JSON.parse(body) as { response: AdmissionResponse };
  const patch: Patch =
    response.patch === undefined ? [] : JSON.parse(Buffer.from(response.patch, 'base64').toString());
  return { response, patch, object: applyPatch(asJson(object), patch), trace };
}
