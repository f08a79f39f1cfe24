import { isAscii, isUtf8 } from 'node:buffer';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { podProblem } from '../kube/pod-problem.ts';
import { resourceOf } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { AdmissionOperation, Request, UserInfo } from '../sdk/request.ts';

export type ReviewVersion = 'admission.k8s.io/v1' | 'admission.k8s.io/v1beta1';

/** An AdmissionReview, checked at the edge: from here on its types hold. */
export interface Review {
  readonly apiVersion: ReviewVersion;
  readonly request: Request;
}

/** As much of a review as it takes to answer it. */
export interface Asked {
  readonly apiVersion: ReviewVersion;
  readonly request: Pick<Request, 'uid'>;
}

/** The review asks about something that is no object. It can be answered all the same, by a denial. */
export class ObjectUnreadable extends PodgraftError {
  readonly asked: Asked;

  constructor(asked: Asked, detail: string) {
    super('REVIEW_INVALID', `Cannot read AdmissionReview: ${detail}`);
    this.asked = asked;
  }
}

/** Reads an AdmissionReview from the bytes of a body. The one place that parses JSON in a request. */
export function parseReview(body: Buffer): Review {
  if (body.length === 0) throw invalid('the body is empty');
  const review = parseJson(decode(body));
  if (!isJsonObject(review)) throw invalid('the body is not a JSON object');
  const { apiVersion, kind, request } = review;
  // Webhooks that we replace deny this, whatever else is missing.
  if (isJsonObject(request) && !isJsonObject(request.object ?? NOTHING))
    throw new ObjectUnreadable(askedBy(review, request), 'request.object is not a map');
  if (kind !== 'AdmissionReview') throw invalid(`kind is ${quote(kind)}, expected "AdmissionReview"`);
  if (apiVersion !== 'admission.k8s.io/v1' && apiVersion !== 'admission.k8s.io/v1beta1') {
    throw invalid(
      `apiVersion is ${quote(apiVersion)}, expected "admission.k8s.io/v1" or "admission.k8s.io/v1beta1"`,
    );
  }
  if (!isJsonObject(request)) throw invalid('there is no request');
  return { apiVersion, request: parseRequest(request, apiVersion) };
}

const NOTHING: JsonObject = {};

/** In whatever version, and with whatever uid: the answer has to have both. */
function askedBy({ apiVersion }: JsonObject, { uid }: JsonObject): Asked {
  return {
    apiVersion: apiVersion === 'admission.k8s.io/v1beta1' ? apiVersion : 'admission.k8s.io/v1',
    request: { uid: typeof uid === 'string' ? uid : '' },
  };
}

function parseRequest(raw: JsonObject, apiVersion: ReviewVersion): Request {
  const operation = text(raw, 'operation');
  if (!OPERATIONS.has(operation)) throw invalid(`request.operation is ${quote(operation)}`);
  const rawKind = map(raw, 'kind');
  const kind = {
    group: part(rawKind, 'kind', 'group'),
    version: part(rawKind, 'kind', 'version'),
    kind: part(rawKind, 'kind', 'kind'),
  };
  const request: Writable<Request> = {
    uid: text(raw, 'uid'),
    operation: operation as AdmissionOperation,
    kind,
    resource: askedResource(raw, kind),
    subResource: optionalText(raw, 'subResource'),
    name: optionalText(raw, 'name'),
    namespace: optionalText(raw, 'namespace'),
    userInfo: userInfo(raw.userInfo),
    dryRun: raw.dryRun === true,
  };
  const asked = { apiVersion, request };
  const object = objectOf(raw, 'object', asked);
  if (object !== undefined) request.object = object;
  const oldObject = objectOf(raw, 'oldObject', asked);
  if (oldObject !== undefined) request.oldObject = oldObject;
  return request;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

const OPERATIONS: ReadonlySet<string> = new Set(['CREATE', 'UPDATE', 'DELETE', 'CONNECT']);

/** The API server always says it. Tests and tools that write reviews by hand leave it out, and it follows from the kind. */
function askedResource(raw: JsonObject, { group, version, kind }: Request['kind']): Request['resource'] {
  if (raw.resource === undefined) {
    const known = resourceOf(group, kind);
    return { group, version, resource: known?.resource ?? '' };
  }
  const resource = map(raw, 'resource');
  return {
    group: part(resource, 'resource', 'group'),
    version: part(resource, 'resource', 'version'),
    resource: part(resource, 'resource', 'resource'),
  };
}

/** Options of a subresource, such as PodExecOptions, are no objects of the API and have no metadata: nobody reads them. */
function objectOf(raw: JsonObject, field: 'object' | 'oldObject', asked: Review): KubeObject | undefined {
  const value = raw[field];
  if (value === undefined || value === null) return undefined;
  const { request } = asked;
  if (!isJsonObject(value)) throw new ObjectUnreadable(asked, `request.${field} is not a map`);
  if (request.subResource !== '' || request.operation === 'CONNECT') return value as unknown as KubeObject;
  const isPod = request.kind.kind === 'Pod' && request.kind.group === '';
  // What our types promise to those who write injectors.
  const problem = isPod
    ? podProblem(value)
    : isJsonObject(value.metadata)
      ? undefined
      : 'metadata is not a map';
  if (problem !== undefined) throw new ObjectUnreadable(asked, `request.${field}.${problem}`);
  return value as unknown as KubeObject;
}

function userInfo(raw: Json | undefined): UserInfo {
  const username = isJsonObject(raw) ? raw.username : undefined;
  return typeof username === 'string' ? (raw as unknown as UserInfo) : { username: '' };
}

function map(raw: JsonObject, field: string): JsonObject {
  const value = raw[field];
  if (!isJsonObject(value)) throw invalid(`request.${field} is missing`);
  return value;
}

function text(raw: JsonObject, field: string): string {
  const value = raw[field];
  if (typeof value !== 'string' || value === '') throw invalid(`request.${field} is missing`);
  return value;
}

function optionalText(raw: JsonObject, field: string): string {
  const value = raw[field] ?? '';
  if (typeof value !== 'string') throw invalid(`request.${field} is not a string`);
  return value;
}

function part(raw: JsonObject, place: string, field: string): string {
  const value = raw[field] ?? '';
  if (typeof value !== 'string') throw invalid(`request.${place}.${field} is not a string`);
  return value;
}

function decode(body: Buffer): string {
  // Nearly always; and then there is nothing to decode.
  if (isAscii(body)) return body.toString('latin1');
  if (!isUtf8(body)) throw invalid('the body is not UTF-8');
  return body.toString('utf8');
}

function parseJson(source: string): Json {
  try {
    return JSON.parse(source) as Json;
  } catch (cause) {
    // V8's message quotes the text around the error, which may hold a secret.
    const at = /position (\d+)/.exec(cause instanceof Error ? cause.message : '')?.[1];
    throw invalid(`the body is not JSON${at === undefined ? '' : ` (at position ${at})`}`);
  }
}

function quote(value: unknown): string {
  return value === undefined ? 'missing' : JSON.stringify(value).slice(0, 80);
}

function invalid(detail: string): PodgraftError {
  return new PodgraftError('REVIEW_INVALID', `Cannot read AdmissionReview: ${detail}`);
}
