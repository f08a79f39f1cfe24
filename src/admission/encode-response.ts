import type { Patch } from '../json/operation.ts';
import type { Outcome, Step } from '../pipeline/trace.ts';
import type { ReviewVersion } from './parse-review.ts';

/*
 * Every outcome, and what the API server makes of it:
 *
 *   outcome                              HTTP  allowed  then
 *   grafted, something changed           200   true     `patch` is applied
 *   grafted or skipped, nothing changed  200   true     no `patch` field: an empty one would cause reinvocation
 *   denied, or not final on /validate    200   false    the user sees code 403 and the reason
 *   an expression or a mutator fails     200   false    likewise: the object's values decide whether it does
 *   the patch is too large               200   false    likewise: no object of that size can be stored
 *   the object is malformed              200   false    likewise
 *   an injector threw, or no fixpoint    500   –        the cluster's failurePolicy decides
 *   bad review                           400   –        likewise
 *   too large, or too many values        413   –        likewise
 *   wrong content type                   415   –        likewise
 *   overloaded, or past the deadline     429   –        Retry-After: the API server retries within its timeout
 */

/** The part of a review that its response repeats. */
export interface ReviewIdentity {
  readonly apiVersion: ReviewVersion;
  readonly request: { readonly uid: string };
}

/** Undefined if the patch is larger than `LARGEST_PATCH`. */
export function encodeOutcome(review: ReviewIdentity, outcome: Outcome): string | undefined {
  if (!outcome.allowed) return encodeDenied(review, outcome.reason, outcome.trace);
  const patch = patchField(outcome.patch);
  if (patch === undefined) return undefined;
  return envelope(
    review,
    `"allowed":true${patch}${warningsField(outcome.warnings)}${auditField(outcome.trace)}`,
  );
}

/**
 * The API server reads answers of any size, but etcd stores objects of at most 1.5 MiB: a patch of this size, which has a path
 * besides each value, is for an object that cannot be stored.
 */
export const LARGEST_PATCH = 8 * 1024 * 1024;

function patchField(patch: Patch): string | undefined {
  if (patch.length === 0) return '';
  const text = patch.length <= PART ? JSON.stringify(patch) : textInParts(patch);
  if (text === undefined || text.length > LARGEST_PATCH) return undefined;
  const encoded = base64(text);
  // Some characters take three bytes.
  return encoded.length > 2 * LARGEST_PATCH ? undefined : `,"patchType":"JSONPatch","patch":"${encoded}"`;
}

/** Operations that are encoded together. */
const PART = 100;

/** A patch that is too large is never in memory as a whole. */
function textInParts(patch: Patch): string | undefined {
  let text = '';
  for (let start = 0; start < patch.length; start += PART) {
    const part = JSON.stringify(patch.slice(start, start + PART));
    text += `${start === 0 ? '[' : ','}${part.slice(1, -1)}`;
    if (text.length > LARGEST_PATCH) return undefined;
  }
  return `${text}]`;
}

export function encodeAllowed(
  review: ReviewIdentity,
  warnings: readonly string[],
  audit: AuditAnnotations = {},
): string {
  return envelope(review, `"allowed":true${warningsField(warnings)}${annotationsField(audit)}`);
}

export function encodeDenied(
  review: ReviewIdentity,
  reason: string,
  trace: readonly Step[],
  audit: AuditAnnotations = {},
  warnings: readonly string[] = [],
): string {
  const message = reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason;
  const status = JSON.stringify({ code: 403, reason: 'Forbidden', message });
  return envelope(
    review,
    `"allowed":false,"status":${status}${warningsField(warnings)}${auditField(trace, audit)}`,
  );
}

/** Reasons quote parts of the object, which may have megabytes. */
const LONGEST_REASON = 3000;

/** `btoa` takes a third of the time for short texts and five times as long for a megabyte, and rejects anything beyond Latin-1. */
function base64(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length;
  if (isAscii && text.length < LONG) return btoa(text);
  return Buffer.from(text, isAscii ? 'latin1' : 'utf8').toString('base64');
}

const LONG = 1_000_000;

function envelope({ apiVersion, request }: ReviewIdentity, response: string): string {
  const uid = JSON.stringify(request.uid);
  return `{"apiVersion":"${apiVersion}","kind":"AdmissionReview","response":{"uid":${uid},${response}}}`;
}

const MOST_WARNINGS = 100;

/** The API server drops warnings with control characters and, past 4096 characters in all, cuts each to 256. */
function warningsField(warnings: readonly string[]): string {
  if (warnings.length === 0) return '';
  const clean = warnings.slice(0, MOST_WARNINGS).map((text) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are to be removed.
    const line = text.replace(/[\u0000-\u001f\u007f]+/g, ' ');
    return line.length > 256 ? `${line.slice(0, 255)}…` : line;
  });
  return `,"warnings":${JSON.stringify(clean)}`;
}

/** The decision of each injector, for the cluster's audit log. Contains no values of the object. */
function auditField(trace: readonly Step[], audit: AuditAnnotations = {}): string {
  if (trace.length === 0) return annotationsField(audit);
  let decisions = '';
  for (const { round, injector, decision } of trace) {
    if (round === 1) decisions += `${decisions === '' ? '' : ','}${injector}=${decision}`;
  }
  return annotationsField({ decisions, ...audit });
}

type AuditAnnotations = { readonly [key: string]: string };

function annotationsField(annotations: AuditAnnotations): string {
  return Object.keys(annotations).length === 0 ? '' : `,"auditAnnotations":${JSON.stringify(annotations)}`;
}
