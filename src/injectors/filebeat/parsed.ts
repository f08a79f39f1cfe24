/** What a text means, or what it should have said. */
export type Parsed<T> = { readonly value: T } | { readonly expected: string };

/** A value for a message; annotations may be 256 KiB long. */
export function quoted(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 100 ? `${text.slice(0, 96)}…"` : text;
}
