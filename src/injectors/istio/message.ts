const LONGEST_VALUE = 100;
const MOST_PROBLEMS = 20;

/** A user's text for a message. Webhooks run before validation, so it may have megabytes. */
export function shortened(text: string): string {
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}…`;
}

/** The first problems in one text, and the number of those left out. */
export function firstOf(problems: readonly string[], separator: string): string {
  const first = problems.slice(0, MOST_PROBLEMS);
  const more = problems.length - first.length;
  return (more === 0 ? first : [...first, `${more} more`]).join(separator);
}
