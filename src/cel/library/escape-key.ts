/** jsonpatch.escapeKey: a key as a segment of a JSON Pointer. */
export function escapeKey(key: string): string {
  return key.replace(/[~/]/g, (char) => (char === '~' ? '~0' : '~1'));
}
