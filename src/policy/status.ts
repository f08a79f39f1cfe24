import { isJsonObject } from '../json/json.ts';
import { type Attributes, describeRequest } from './attributes.ts';

/** A `metav1.Status` of a failure. */
export interface Status {
  readonly code: number;
  /** Absent if a webhook denied without one. */
  readonly reason?: string;
  readonly message: string;
  readonly details?: StatusDetails;
}

export interface StatusDetails {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly uid?: string;
  readonly causes?: readonly StatusCause[];
  readonly retryAfterSeconds?: number;
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** `apierrors.NewInternalError`. */
export function internalError(message: string): Status {
  return {
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  };
}

/** `apierrors.NewForbidden`. */
export function forbidden(request: Attributes, message: string): Status {
  return {
    code: 403,
    reason: 'Forbidden',
    message: `${describeRequest(request)} is forbidden: ${message}`,
    details: requestDetails(request),
  };
}

/** `apierrors.NewBadRequest`. */
export function badRequest(message: string): Status {
  return { code: 400, reason: 'BadRequest', message };
}

/** `apierrors.NewNotFound`. */
export function notFound(resource: string, group: string, name: string): Status {
  return {
    code: 404,
    reason: 'NotFound',
    message: `${group === '' ? resource : `${resource}.${group}`} "${name}" not found`,
    details: { name, ...(group !== '' && { group }), kind: resource },
  };
}

/** `apierrors.NewConflict`. */
export function conflict(request: Attributes): Status {
  const message =
    'the object has been modified; please apply your changes to the latest version and try again';
  return {
    code: 409,
    reason: 'Conflict',
    message: `Operation cannot be fulfilled on ${describeRequest(request)}: ${message}`,
    details: requestDetails(request),
  };
}

/** The request's own deadline passed: written as plain text by the server's timeout filter. */
export const REQUEST_TIMEOUT: Status = {
  code: 504,
  reason: 'Timeout',
  message: 'Timeout: request did not complete within the allotted timeout',
  details: {},
};

/** `apierrors.NewInvalid`. */
export function invalid(
  { kind, group, name }: { readonly kind: string; readonly group: string; readonly name: string },
  causes: readonly Required<StatusCause>[],
): Status {
  const texts = causes.map(({ field, message }) => `${field}: ${message}`);
  const list = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return {
    code: 422,
    reason: 'Invalid',
    message: `${group === '' ? kind : `${kind}.${group}`} "${name}" is invalid: ${list}`,
    details: { name, ...(group !== '' && { group }), kind, causes },
  };
}

function requestDetails({ name, resource }: Attributes): NonNullable<Status['details']> {
  return {
    ...(name !== '' && { name }),
    ...(resource.group !== '' && { group: resource.group }),
    kind: resource.resource,
  };
}

/** The error of a mutating policy: a 403 with its own reason, and all errors as causes. */
export function policyError(
  request: Attributes,
  message: string,
  reason: string,
  causes: readonly StatusCause[],
): Status {
  return { code: 403, reason, message, details: { ...requestDetails(named(request)), causes } };
}

/** `admission.NewForbidden`: a request without a name goes by the object's, or by what its name will start with. */
export function admissionForbidden(request: Attributes, message: string): Status {
  return forbidden(named(request), message);
}

function named(request: Attributes): Attributes {
  if (request.name !== '') return request;
  const metadata = request.object?.metadata;
  if (request.object === null || !isJsonObject(metadata)) return { ...request, name: 'Unknown' };
  const found = [metadata.name, metadata.generateName].find(
    (name) => typeof name === 'string' && name !== '',
  );
  return { ...request, name: typeof found === 'string' ? found : 'Unknown' };
}

/** There is no answer: the request's handler panics, and the connection is closed (kubernetes#142181). */
export const PANIC: Status = {
  code: 0,
  message:
    'connection closed without a response: the API server panics on a list of objects as the value of a JSONPatch',
};
