import type { JsonObject } from '../json/json.ts';
import type { Status, StatusDetails } from './outcome.ts';
import type { ReviewResponse } from './read-answer.ts';

/** The Status of a denial: the webhook's code and reason, or 400 without a reason if it has none. */
export function denial(webhook: string, { status = {} }: ReviewResponse): Status {
  const { code, reason, message, details } = status as JsonObject;
  const explanation = [message, reason].find((text) => typeof text === 'string' && text !== '');
  const prefix = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  return {
    code: typeof code === 'number' && code >= 400 ? code : 400,
    ...(typeof reason === 'string' && reason !== '' && { reason }),
    message:
      explanation === undefined ? `${prefix} without explanation` : `${prefix}: ${String(explanation)}`,
    ...(details !== undefined && { details: details as unknown as StatusDetails }),
  };
}
