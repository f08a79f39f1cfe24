const MAX_LENGTH = 100;
const MAX_LINES = 20;

/** A name for a message, shortened: before validation it may be megabytes long. */
export function quoted(text: unknown): string {
  const name = String(text);
  return `"${name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH - 1)}…` : name}"`;
}

/** The first messages of a list that may have one for each container. */
export function firstOf(messages: readonly string[]): readonly string[] {
  if (messages.length <= MAX_LINES) return messages;
  return [...messages.slice(0, MAX_LINES), `${messages.length - MAX_LINES} more like these`];
}
