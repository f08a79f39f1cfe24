/**
 * The fields of the first CSV record, by the rules of Go's encoding/csv (RFC 4180): blanks belong to the field, `""` inside
 * quotes is a quote. Undefined if there is no record or a quote is misplaced.
 */
export function csvRecord(text: string): string[] | undefined {
  const input = text.replaceAll('\r\n', '\n').replace(/^\n+|\r$/g, '');
  if (input === '') return undefined;
  const field = /(?:"([^"]*(?:""[^"]*)*)"|([^",\n]*))(,|\n|$)/y;
  const fields: string[] = [];
  for (;;) {
    const match = field.exec(input);
    if (match === null) return undefined;
    const [, quoted, plain = '', end] = match;
    fields.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end !== ',') return fields;
  }
}
