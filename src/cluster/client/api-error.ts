import { STATUS_CODES } from 'node:http';
import { isJsonObject, type Json } from '../../json/json.ts';
import { PodgraftError } from '../../podgraft-error.ts';

/** A refusal by the API server: `status` is the HTTP status, `reason` is Kubernetes' (`Conflict`, `AlreadyExists`, `Expired`). */
export class ApiError extends PodgraftError {
  readonly status: number;
  readonly reason: string;
  /** From the `Retry-After` of a 429 or 503. */
  readonly retryAfterMs: number | undefined;

  constructor(call: string, { status, reason, message, retryAfterMs }: Refusal) {
    const detail = message === '' ? '' : `: ${message}`;
    super('CLUSTER_API_REFUSED', `Cannot ${call}: ${status} ${reason}${detail}`);
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface Refusal {
  readonly status: number;
  readonly reason: string;
  readonly message: string;
  readonly retryAfterMs?: number;
}

/** Whether the API server refused, for one of these reasons if any are given: `isRefusal(error, 'Conflict')`. */
export function isRefusal(error: unknown, ...reasons: readonly string[]): error is ApiError {
  return error instanceof ApiError && (reasons.length === 0 || reasons.includes(error.reason));
}

/** Reads a `metav1.Status`. Of any other body, such as a gateway's HTML page, only the HTTP status counts. */
export function refusalFrom(httpStatus: number, body: Json | undefined): Refusal {
  const { code, reason, message } = isJsonObject(body) && body.kind === 'Status' ? body : {};
  return {
    status: typeof code === 'number' ? code : httpStatus,
    reason:
      typeof reason === 'string' && reason !== ''
        ? reason
        : (STATUS_CODES[httpStatus] ?? 'Unknown').replaceAll(' ', ''),
    message: typeof message === 'string' ? message : '',
  };
}
