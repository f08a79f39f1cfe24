import type { IncomingMessage } from 'node:http';
import { isJsonObject, type JsonObject } from '../../json/json.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { apiVersionOf, type ResourceRef } from '../../kube/resource.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import { ApiError, refusalFrom } from './api-error.ts';
import { parseJson } from './parse-json.ts';
import { unreachable } from './transport.ts';

export interface ListPage {
  readonly items: readonly KubeObject[];
  readonly resourceVersion: string;
  /** Asks for the next page; absent on the last. */
  readonly continue?: string;
}

/** The JSON object of a good answer; any other is thrown as the refusal that it is. */
export async function readObject(
  response: IncomingMessage,
  { what, path }: { readonly what: string; readonly path: string },
): Promise<JsonObject> {
  const body = parseJson(await readText(response, what));
  const status = response.statusCode ?? 0;
  if (status >= 200 && status < 300) {
    if (isJsonObject(body)) return body;
    throw new PodgraftError('CLUSTER_API_UNREACHABLE', `Cannot ${what}: the answer is not a JSON object`);
  }
  const refusal = refusalFrom(status, body);
  const retryAfter = Number(response.headers['retry-after']);
  throw new ApiError(what, {
    ...refusal,
    // Servers before 1.23 quote the bytes that they could not decode.
    ...(path.includes('/secrets') && status === 400 && { message: '' }),
    ...(retryAfter > 0 && { retryAfterMs: retryAfter * 1000 }),
  });
}

async function readText(response: IncomingMessage, what: string): Promise<string> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer);
  } catch (error) {
    throw unreachable(what, error);
  }
  return Buffer.concat(chunks).toString();
}

export function asObject(body: JsonObject, what: string): KubeObject {
  if (typeof body.kind === 'string' && isJsonObject(body.metadata)) return body as unknown as KubeObject;
  throw new PodgraftError('CLUSTER_API_UNREACHABLE', `Cannot ${what}: the answer is no Kubernetes object`);
}

export function asPage(body: JsonObject, ref: ResourceRef, what: string): ListPage {
  const { metadata, items } = body;
  if (!isJsonObject(metadata) || !(Array.isArray(items) || items === null)) {
    throw new PodgraftError('CLUSTER_API_UNREACHABLE', `Cannot ${what}: the answer is no list`);
  }
  // Inside a list of its own kinds the server leaves out what the list says already.
  const type = { apiVersion: apiVersionOf(ref), kind: ref.kind };
  const objects = (items ?? []).filter(isJsonObject);
  return {
    items: objects.map((item) => ({ ...type, ...item }) as unknown as KubeObject),
    resourceVersion: String(metadata.resourceVersion ?? ''),
    ...(typeof metadata.continue === 'string' && metadata.continue !== '' && { continue: metadata.continue }),
  };
}
