import type { Json } from '../../json/json.ts';
import { isJsonObject } from '../../json/json.ts';
import { PodgraftError } from '../../podgraft-error.ts';

/** The API server's refusal, in its own words: `status` is HTTP's, `reason` is Kubernetes' (`Conflict`, `AlreadyExists`, `Expired`). */
export class ApiError extends PodgraftError {
  readonly status: number;
  readonly reason: string;
  /** How long the server wants to be left alone: the `Retry-After` of a 429 or 503. */
  readonly retryAfterMs: number | undefined;

  constructor(call: string, refusal: Refusal) {
    const detail = refusal.message === '' ? '' : `: ${refusal.message}`;
    super('CLUSTER_API_REFUSED', `Cannot ${call}: ${refusal.status} ${refusal.reason}${detail}`);
    this.status = refusal.status;
    this.reason = refusal.reason;
    this.retryAfterMs = refusal.retryAfterMs;
  }
}

export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly retryAfterMs?: number;
}

/** True for the API server's refusals of this kind: `isRefusal(error, 'Conflict')`. */
export function isRefusal(error: unknown, ...reasons: readonly string[]): error is ApiError {
  return error instanceof ApiError && (reasons.length === 0 || reasons.includes(error.reason));
}

/** Reads a `metav1.Status`; what is none (a gateway's HTML page) leaves only the HTTP status. */
export function refusalFrom(status: number, body: Json | undefined): Refusal {
  const said = isJsonObject(body) && body.kind === 'Status' ? body : {};
  return {
    status: typeof said.code === 'number' ? said.code : status,
    reason: typeof said.reason === 'string' && said.reason !== '' ? said.reason : reasonFor(status),
    message: typeof said.message === 'string' ? said.message : '',
  };
}

function reasonFor(status: number): string {
  switch (status) {
    case 401:
      return 'Unauthorized';
    case 403:
      return 'Forbidden';
    case 404:
      return 'NotFound';
    case 410:
      return 'Expired';
    case 429:
      return 'TooManyRequests';
    default:
      return status >= 500 ? 'InternalError' : 'Unknown';
  }
}
