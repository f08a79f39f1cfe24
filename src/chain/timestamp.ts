/** The time now as objects have it: without fractions of seconds. */
export function timestamp(): string {
  return `${new Date().toISOString().slice(0, -5)}Z`;
}
