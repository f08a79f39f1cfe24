const LONGEST_VALUE = 100;
const MOST_MESSAGES = 20;

/** A value in quotes for a message, shortened. */
export function quoted(value: unknown): string {
  return `"${shortened(String(value))}"`;
}

/** A user's text for a message. Webhooks run before validation, so it may have megabytes. */
export function shortened(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}

/** The first messages of a list, and the number of those left out. */
export function firstMessages(messages: readonly string[], most = MOST_MESSAGES): readonly string[] {
  if (messages.length <= most) return messages;
  return [...messages.slice(0, most), `and ${messages.length - most} more`];
}
