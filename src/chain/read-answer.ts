import { parse as parseYaml } from 'yaml';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { decodeTyped } from '../kube/typed/decode.ts';
import { REVIEW_TYPE } from './review-type.ts';

/** The HTTP answer of a webhook. */
export interface WebhookAnswer {
  readonly status: number;
  readonly body: string;
  /** `application/json` unless given. */
  readonly contentType?: string;
}

/** `response` of an AdmissionReview. */
export interface ReviewResponse {
  readonly uid?: string;
  readonly allowed: boolean;
  readonly status?: JsonObject;
  /** Base64. */
  readonly patch?: string;
  readonly patchType?: string;
  readonly auditAnnotations?: { readonly [key: string]: string };
  readonly warnings?: readonly string[];
}

/** A decoded AdmissionReview, or the API server's message if the call counts as failed. */
export type ReadAnswer =
  | { readonly apiVersion: string; readonly kind: string; readonly response: ReviewResponse | undefined }
  | { readonly error: string };

export function readAnswer(answer: WebhookAnswer, version: 'v1' | 'v1beta1'): ReadAnswer {
  const { status, body, contentType = 'application/json' } = answer;
  if (status < 200 || status > 206) return { error: statusText(answer) };
  if (body === '')
    return { error: `0-length response with status code: ${status} and content type: ${contentType}` };
  const parsed = parseBody(body);
  if ('error' in parsed) return parsed;
  const { value } = parsed;
  const apiVersion = typeof value.apiVersion === 'string' ? value.apiVersion : '';
  const kind = typeof value.kind === 'string' ? value.kind : '';
  const wrongType = typeError(apiVersion, kind, version);
  if (wrongType !== undefined) return { error: wrongType };
  const decoded = decodeTyped(value, REVIEW_TYPE);
  if ('error' in decoded) return decoded;
  return { apiVersion, kind, response: decoded.value.response as unknown as ReviewResponse | undefined };
}

function parseBody(body: string): { readonly value: JsonObject } | { readonly error: string } {
  let value: Json;
  try {
    value = JSON.parse(body) as Json;
  } catch {
    try {
      value = parseYaml(body) as Json;
    } catch (error) {
      return {
        error: `couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : ''}`,
      };
    }
  }
  if (isJsonObject(value)) return { value };
  const found = Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value;
  return {
    error: `couldn't get version/kind; json parse error: json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`,
  };
}

const SCHEME = 'k8s.io/apiserver/pkg/util/webhook/client.go:71';
const REVIEWS = ['admission.k8s.io/v1', 'admission.k8s.io/v1beta1'];

/** An answer of another type. One without apiVersion or kind is treated as a review, and checked later. */
function typeError(apiVersion: string, kind: string, version: string): string | undefined {
  if (apiVersion === '' || kind === '') return undefined;
  const found = apiVersion.slice(apiVersion.indexOf('/') + 1);
  if (kind === 'AdmissionReview' && REVIEWS.includes(apiVersion)) {
    if (found === version) return undefined;
  } else if (!(kind === 'Status' && apiVersion === 'v1')) {
    return `no kind "${kind}" is registered for version "${apiVersion}" in scheme "${SCHEME}"`;
  }
  return `converting (${found}.${kind}) to (${version}.AdmissionReview): unknown conversion`;
}

/** client-go's message for an unsuccessful HTTP status; the message of a `Status` in the body takes precedence. */
function statusText({ status, body, contentType = '' }: WebhookAnswer): string {
  const parsed = parseBody(body === '' ? '{}' : body);
  if ('value' in parsed && parsed.value.kind === 'Status' && typeof parsed.value.message === 'string') {
    return parsed.value.message;
  }
  const isText = contentType === '' || contentType.startsWith('text/');
  const message = isText && body.trim() !== '' ? body.trim() : 'unknown';
  if (status === 403) return message;
  const known = STATUS_TEXTS[status];
  if (known !== undefined) return known;
  return status >= 500
    ? `an error on the server (${JSON.stringify(message)}) has prevented the request from succeeding`
    : `the server responded with the status code ${status} but did not return more information`;
}

const STATUS_TEXTS: { readonly [status: number]: string } = {
  400: 'the server rejected our request for an unknown reason',
  401: 'the server has asked for the client to provide credentials',
  404: 'the server could not find the requested resource',
  405: 'the server does not allow this method on the requested resource',
  406: 'the server was unable to respond with a content type that the client supports',
  409: 'the server reported a conflict',
  422: 'the server rejected our request due to an error in our request',
  429: 'the server has received too many requests and has asked us to try again later',
  503: 'the server is currently unable to handle the request',
  504: 'the server was unable to return a response in the time allotted, but may still be processing the request',
};
