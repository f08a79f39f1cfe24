const LONGEST_VALUE = 100;
const MOST_MESSAGES = 20;

/** Quotes a value for a message. Webhooks run before validation, so a value may have megabytes. */
export function quoted(text: string): string {
  return `"${shortened(text)}"`;
}

export function shortened(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}

/** The first messages of a list, and the number of those left out. */
export function firstMessages(messages: readonly string[], most = MOST_MESSAGES): readonly string[] {
  if (messages.length <= most) return messages;
  return [...messages.slice(0, most), `${messages.length - most} more`];
}

/** The first names of a list in one text. */
export function firstNames(names: readonly string[]): string {
  return firstMessages(names.map(shortened), 10).join(', ');
}
