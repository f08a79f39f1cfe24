/** One finding of API validation, with the messages of `field.Error`. */
export interface FieldError {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', message: joined('Required value', detail), field };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', message: `Duplicate value: ${shown(value)}`, field };
}

export function invalidValue(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', message: joined(`Invalid value: ${shown(value)}`, detail), field };
}

export function notFoundValue(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', message: `Not found: ${shown(value)}`, field };
}

export function notSupported(field: string, value: unknown, allowed: readonly string[]): FieldError {
  const list = allowed
    .toSorted()
    .map((each) => JSON.stringify(each))
    .join(', ');
  return {
    reason: 'FieldValueNotSupported',
    message: `Unsupported value: ${shown(value)}: supported values: ${list}`,
    field,
  };
}

export function tooMany(field: string, count: number, most: number): FieldError {
  return {
    reason: 'FieldValueTooMany',
    message: `Too many: ${count}: must have at most ${most} items`,
    field,
  };
}

export function forbiddenValue(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${detail}`, field };
}

function shown(value: unknown): string {
  return JSON.stringify(value);
}

function joined(text: string, detail: string): string {
  return detail === '' ? text : `${text}: ${detail}`;
}

/** An error that the API server attributes to itself, not to the value. */
export function internalValue(field: string, detail: string): FieldError {
  return { reason: 'InternalError', message: `Internal error: ${detail}`, field };
}
