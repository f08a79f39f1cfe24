/** An expression in parentheses. A comment in it must not hide what follows. */
export function grouped(expression: string): string {
  const text = expression.trim();
  return text.includes('//') ? `(${text}\n)` : `(${text})`;
}
