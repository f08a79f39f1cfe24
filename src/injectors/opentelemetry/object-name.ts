/** Makes a DNS label of an object's name, which may be longer and contain dots. */
export function labelFrom(text: string): string {
  let end = Math.min(text.length, 63);
  while (end > 0 && '.-'.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end).replaceAll('.', '-');
}

/** `path` without the slashes at its end, in linear time. */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path.charAt(end - 1) === '/') end--;
  return end === path.length ? path : path.slice(0, end);
}
