import type { Patch } from '../json/operation.ts';
import { jsonText } from '../json/stable.ts';
import type { Outcome, Step } from '../pipeline/trace.ts';
import type { Asked, Review } from './parse-review.ts';

/*
 * Every outcome, and what the API server makes of it:
 *
 *   outcome                              HTTP  allowed  then
 *   grafted, something changed           200   true     `patch` is applied
 *   grafted or skipped, nothing changed  200   true     no `patch` field: an empty one would cause reinvocation
 *   denied, or not final on /validate    200   false    the user sees code 403 and the reason
 *   no object, or no Pod's               200   false    likewise
 *   an injector threw, or no fixpoint    500   –        the cluster's failurePolicy decides
 *   bad review                           400   –        likewise
 *   too large                            413   –        likewise
 *   wrong content type                   415   –        likewise
 *   overloaded, or past the deadline     429   –        Retry-After: the API server tries again within its timeout
 */

/** The answer to a review about which the pipeline has decided. */
export function encodeResponse(review: Review, outcome: Outcome): string {
  if (!outcome.allowed) return encodeDenial(review, outcome.reason, outcome.trace);
  const patch =
    outcome.patch.length === 0
      ? ''
      : `,"patchType":"JSONPatch","patch":"${base64(patchText(outcome.patch))}"`;
  return envelope(
    review,
    `"allowed":true${patch}${warningsField(outcome.warnings)}${auditField(outcome.trace)}`,
  );
}

/** Put together by hand, so that what is stable is not written anew each time. */
function patchText(patch: Patch): string {
  let text = '';
  let last = '';
  let lastQuoted = '""';
  for (const operation of patch) {
    const { op, path } = operation;
    // Often several items in a row go to the end of one list.
    if (path !== last) {
      last = path;
      lastQuoted = quoted(path);
    }
    text += `${text === '' ? '[' : ','}{"op":"${op}","path":${lastQuoted}`;
    if (op === 'move') text += `,"from":${quoted(operation.from)}}`;
    else if (op === 'remove') text += '}';
    else text += `,"value":${jsonText(operation.value)}}`;
  }
  return `${text}]`;
}

function quoted(path: string): string {
  return NEEDS_NO_ESCAPE.test(path) ? `"${path}"` : JSON.stringify(path);
}

const NEEDS_NO_ESCAPE = /^[\w/~.-]*$/;

/** `btoa` takes a third of the time, but knows no UTF-8. */
function base64(text: string): string {
  const isAscii = Buffer.byteLength(text) === text.length;
  return isAscii ? btoa(text) : Buffer.from(text).toString('base64');
}

export function encodeDenial(asked: Asked, reason: string, trace: readonly Step[]): string {
  const status = JSON.stringify({ code: 403, reason: 'Forbidden', message: reason });
  return envelope(asked, `"allowed":false,"status":${status}${auditField(trace)}`);
}

export function encodeAllowed(review: Review, warnings: readonly string[]): string {
  return envelope(review, `"allowed":true${warningsField(warnings)}`);
}

function envelope({ apiVersion, request }: Asked, response: string): string {
  const uid = JSON.stringify(request.uid);
  return `{"apiVersion":"${apiVersion}","kind":"AdmissionReview","response":{"uid":${uid},${response}}}`;
}

/** The API server drops a warning with control characters in it and, past 4096 in all, cuts each to 256. */
function warningsField(warnings: readonly string[]): string {
  if (warnings.length === 0) return '';
  const clean = warnings.map((text) => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go.
    const line = text.replace(/[\u0000-\u001f\u007f]+/g, ' ');
    return line.length > 256 ? `${line.slice(0, 255)}…` : line;
  });
  return `,"warnings":${JSON.stringify(clean)}`;
}

/** Who did what, for the cluster's audit log: names and verdicts, no values. */
function auditField(trace: readonly Step[]): string {
  if (trace.length === 0) return '';
  let decisions = '';
  for (const step of trace) {
    if (step.round === 1) decisions += `${decisions === '' ? '' : ','}${step.injector}=${step.decision}`;
  }
  return `,"auditAnnotations":{"decisions":${JSON.stringify(decisions)}}`;
}
