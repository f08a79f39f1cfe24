/**
 * The fields of a text's first CSV record, by the rules of Go's encoding/csv (RFC 4180): blanks belong to the field, `""`
 * inside quotes is a quote. Undefined where there is no record or quotes are out of place.
 */
export function csvRecord(text: string): string[] | undefined {
  const input = text.replaceAll('\r\n', '\n').replace(/^\n+|\r$/g, '');
  if (input === '') return undefined;
  const fields: string[] = [];
  for (let at = 0; ; at++) {
    const field = input[at] === '"' ? quotedField(input, at) : plainField(input, at);
    if (field === undefined) return undefined;
    fields.push(field.value);
    at = field.end;
    if (input[at] !== ',') return fields;
  }
}

/** A field's value, and where the comma or the line's end after it is. */
type Field = { readonly value: string; readonly end: number };

function plainField(input: string, start: number): Field | undefined {
  let end = start;
  while (end < input.length && input[end] !== ',' && input[end] !== '\n') end++;
  const value = input.slice(start, end);
  return value.includes('"') ? undefined : { value, end };
}

function quotedField(input: string, start: number): Field | undefined {
  let value = '';
  for (let at = start + 1; at < input.length; at++) {
    if (input[at] !== '"') {
      value += input[at];
    } else if (input[at + 1] === '"') {
      value += input[at++];
    } else {
      const end = at + 1;
      const closed = end === input.length || input[end] === ',' || input[end] === '\n';
      return closed ? { value, end } : undefined;
    }
  }
  return undefined;
}
