import type { Scalar, StructType, TypedField, TypedValue } from '../kube/typed/schema.ts';

/** The Go types of an answer, which no OpenAPI document describes (k8s.io/api/admission/v1). */
const scalar = (type: Scalar): TypedValue => ({ type });
const STRING = scalar('string');

function struct(name: string, fields: { readonly [field: string]: TypedValue }): StructType {
  const entries = Object.entries(fields).map(([field, type]): [string, TypedField] => [
    field,
    // Nothing is omitted: an empty patchType is an error, while its absence may not be.
    { type, written: false, pointer: true },
  ]);
  const byName = new Map(entries);
  return { type: 'struct', name, atomic: false, fields: () => byName, written: () => [] };
}

function list(item: TypedValue): TypedValue {
  return { type: 'list', item, merge: 'atomic', keys: [] };
}

const CAUSE = struct('StatusCause', { reason: STRING, message: STRING, field: STRING });
const DETAILS = struct('StatusDetails', {
  name: STRING,
  group: STRING,
  kind: STRING,
  uid: STRING,
  causes: list(CAUSE),
  retryAfterSeconds: scalar('int32'),
});
const STATUS = struct('Status', {
  status: STRING,
  message: STRING,
  reason: STRING,
  details: DETAILS,
  code: scalar('int32'),
});
const RESPONSE = struct('AdmissionResponse', {
  uid: STRING,
  allowed: scalar('boolean'),
  status: STATUS,
  patch: scalar('bytes'),
  patchType: STRING,
  auditAnnotations: { type: 'map', values: STRING, atomic: false },
  warnings: list(STRING),
});

export const REVIEW_TYPE = struct('AdmissionReview', {
  apiVersion: STRING,
  kind: STRING,
  response: RESPONSE,
});
