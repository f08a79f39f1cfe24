/** The current time in the format of metadata: without fractions of seconds. */
export function timestamp(): string {
  return `${new Date().toISOString().slice(0, -5)}Z`;
}
