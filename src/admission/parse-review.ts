import { isAscii, isUtf8 } from 'node:buffer';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { resourceOf } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { AdmissionOperation, Request, UserInfo } from '../sdk/request.ts';

export type ReviewVersion = 'admission.k8s.io/v1' | 'admission.k8s.io/v1beta1';

/** An AdmissionReview, checked: from here on its types hold. */
export interface Review {
  readonly apiVersion: ReviewVersion;
  readonly request: Request;
  /** Absent on DELETE. */
  readonly object?: KubeObject;
}

/** A review whose object is malformed. It can still be answered, with a denial. */
export interface MalformedReview {
  readonly apiVersion: ReviewVersion;
  readonly request: { readonly uid: string };
  readonly problem: string;
}

/**
 * Parses the body of a webhook call; throws if it is not an AdmissionReview. The only JSON.parse on the way to the answer: log lines
 * and the page's records, of which there are few, parse the body again instead of keeping the review.
 */
export function parseReview(body: Buffer): Review | MalformedReview {
  if (body.length === 0) throw invalid('the body is empty');
  const review = parseJson(decode(body));
  if (!isJsonObject(review)) throw invalid('the body is not a JSON object');
  const { apiVersion, kind, request } = review;
  // The webhooks that we replace deny this, even if other fields are missing.
  if (isJsonObject(request) && !isJsonObject(request.object ?? {})) {
    return {
      apiVersion: apiVersion === 'admission.k8s.io/v1beta1' ? apiVersion : 'admission.k8s.io/v1',
      request: { uid: typeof request.uid === 'string' ? request.uid : '' },
      problem: unreadable('request.object is not a map'),
    };
  }
  if (kind !== 'AdmissionReview') throw invalid(`kind is ${quote(kind)}, expected "AdmissionReview"`);
  if (apiVersion !== 'admission.k8s.io/v1' && apiVersion !== 'admission.k8s.io/v1beta1') {
    throw invalid(
      `apiVersion is ${quote(apiVersion)}, expected "admission.k8s.io/v1" or "admission.k8s.io/v1beta1"`,
    );
  }
  if (!isJsonObject(request)) throw invalid('request is missing');
  return parseRequest(request, apiVersion);
}

function parseRequest(raw: JsonObject, apiVersion: ReviewVersion): Review | MalformedReview {
  const request = requestOf(raw);
  for (const field of ['object', 'oldObject'] as const) {
    if (isJsonObject(raw[field] ?? {})) continue;
    return { apiVersion, request, problem: unreadable(`request.${field} is not a map`) };
  }
  const [object, oldObject] = [raw.object ?? undefined, raw.oldObject ?? undefined] as (
    | KubeObject
    | undefined
  )[];
  return {
    apiVersion,
    request: oldObject === undefined ? request : { ...request, oldObject },
    ...(object && { object }),
  };
}

function requestOf(raw: JsonObject): Request {
  const operation = requiredText(raw, 'operation');
  if (!OPERATIONS.has(operation)) throw invalid(`request.operation is ${quote(operation)}`);
  const rawKind = requiredMap(raw, 'kind');
  const kind = {
    group: optionalText(rawKind, 'group', 'kind.'),
    version: optionalText(rawKind, 'version', 'kind.'),
    kind: optionalText(rawKind, 'kind', 'kind.'),
  };
  return {
    uid: requiredText(raw, 'uid'),
    operation: operation as AdmissionOperation,
    kind,
    resource: resourceIn(raw, kind),
    subResource: optionalText(raw, 'subResource'),
    name: optionalText(raw, 'name'),
    namespace: optionalText(raw, 'namespace'),
    userInfo: userInfo(raw.userInfo),
    dryRun: raw.dryRun === true,
  };
}

const OPERATIONS: ReadonlySet<string> = new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']);

/** The API server always sends it. Hand-written reviews often omit it; derive it from the kind. */
function resourceIn(raw: JsonObject, { group, version, kind }: Request['kind']): Request['resource'] {
  if (raw.resource === undefined) {
    return { group, version, resource: resourceOf(group, kind)?.resource ?? '' };
  }
  const resource = requiredMap(raw, 'resource');
  return {
    group: optionalText(resource, 'group', 'resource.'),
    version: optionalText(resource, 'version', 'resource.'),
    resource: optionalText(resource, 'resource', 'resource.'),
  };
}

/** Hand-written reviews often have none. */
function userInfo(raw: Json | undefined): UserInfo {
  if (!isJsonObject(raw) || typeof raw.username !== 'string') return { username: '' };
  const { username, uid, groups, extra } = raw;
  if (typeof (uid ?? '') !== 'string') throw invalid('request.userInfo.uid is not a string');
  if (!isTexts(groups ?? [])) throw invalid('request.userInfo.groups is not a list of strings');
  if (!isJsonObject(extra ?? {}) || !Object.values(extra ?? {}).every((list) => isTexts(list ?? [])))
    throw invalid('request.userInfo.extra is not a map of lists of strings');
  // Go encodes a nil list or map as null.
  const hasNulls = uid === null || groups === null || extra === null;
  return (hasNulls ? { username, ...withoutNull({ uid, groups, extra }) } : raw) as unknown as UserInfo;
}

function withoutNull(members: Readonly<Record<string, Json | undefined>>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => (value ?? null) !== null));
}

function isTexts(value: Json): boolean {
  return isJsonArray(value) && value.every((item) => typeof item === 'string');
}

function requiredMap(raw: JsonObject, field: string): JsonObject {
  const value = raw[field];
  if (!isJsonObject(value)) throw invalid(`request.${field} is missing`);
  return value;
}

function requiredText(raw: JsonObject, field: string): string {
  const value = raw[field];
  if (typeof value !== 'string' || value === '') throw invalid(`request.${field} is missing`);
  return value;
}

function optionalText(raw: JsonObject, field: string, parent = ''): string {
  const value = raw[field] ?? '';
  if (typeof value !== 'string') throw invalid(`request.${parent}${field} is not a string`);
  return value;
}

function decode(body: Buffer): string {
  // The common case, and the fastest to decode.
  if (isAscii(body)) return body.toString('latin1');
  if (!isUtf8(body)) throw invalid('the body is not UTF-8');
  return body.toString('utf8');
}

function parseJson(source: string): Json {
  try {
    return JSON.parse(source) as Json;
  } catch (cause) {
    // V8's message quotes the text around the error, which may contain a secret.
    const at = /position (\d+)/.exec(cause instanceof Error ? cause.message : '')?.[1];
    throw invalid(`the body is not JSON${at === undefined ? '' : ` (at position ${at})`}`);
  }
}

function quote(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 80);
}

function invalid(detail: string): PodgraftError {
  return new PodgraftError('REVIEW_INVALID', unreadable(detail));
}

function unreadable(detail: string): string {
  return `Cannot read AdmissionReview: ${detail}`;
}
