import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { apiVersionOf, type ResourceRef } from '../../kube/resource.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import { ApiError, refusalFrom } from './api-error.ts';
import { type ApiRequest, unreachable } from './transport.ts';

export interface ListPage {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  /** The token for the next page; absent on the last. */
  readonly continue?: string;
}

/** The JSON object of a successful response; any other response is thrown as a refusal. */
export async function readObject(
  response: IncomingMessage,
  { what, path }: Pick<ApiRequest, 'what' | 'path'>,
): Promise<JsonObject> {
  const received = await text(response).catch((error: unknown) => {
    throw unreachable(what, error);
  });
  // Without the parser's own error: it quotes the text, which may be a Secret.
  const body = tryParseJson(received);
  const { statusCode: status = 0, headers } = response;
  if (status >= 200 && status < 300) {
    if (isJsonObject(body)) return body;
    throw unexpected(what, 'a JSON object');
  }
  const retryAfter = Number(headers['retry-after']);
  throw new ApiError(what, {
    ...refusalFrom(status, body),
    // Servers before 1.23 quote the bytes that they could not decode.
    ...(path.includes('/secrets') && status === 400 && { message: '' }),
    ...(retryAfter > 0 && { retryAfterMs: retryAfter * 1000 }),
  });
}

export function asObject(body: JsonObject, what: string): KubeObject {
  if (typeof body.kind === 'string' && isJsonObject(body.metadata)) return body as unknown as KubeObject;
  throw unexpected(what, 'a Kubernetes object');
}

export function asPage({ metadata, items }: JsonObject, ref: ResourceRef, what: string): ListPage {
  if (!isJsonObject(metadata) || !(Array.isArray(items) || items === null)) throw unexpected(what, 'a list');
  // The items of a typed list come without apiVersion and kind.
  const type = { apiVersion: apiVersionOf(ref), kind: ref.kind };
  const objects = (items ?? []).filter(isJsonObject);
  return {
    items: objects.map((item) => ({ ...type, ...item }) as unknown as KubeObject),
    resourceVersion: String(metadata.resourceVersion ?? ''),
    ...(typeof metadata.continue === 'string' && metadata.continue !== '' && { continue: metadata.continue }),
  };
}

/** The message does not quote the answer, which may be a Secret. */
export function unexpected(what: string, expected: string): PodgraftError {
  return new PodgraftError('CLUSTER_API_UNREACHABLE', `Cannot ${what}: the answer is not ${expected}`);
}
