/** Splits rows of items that are separated by `; `. */
export function rows(...lines) {
  return lines.flatMap((line) => line.split('; '));
}
