/** RFC 6901. */
export type Pointer = string;

export function pointer(segments: readonly (string | number)[]): Pointer {
  let text = '';
  for (const segment of segments) text += `/${segmentText(segment)}`;
  return text;
}

export function segmentText(segment: string | number): string | number {
  return typeof segment === 'number' ? segment : escapeSegment(segment);
}

export function escapeSegment(segment: string): string {
  // Few keys need escaping, and a search is cheaper than a replacement.
  const text = segment.includes('~') ? segment.replaceAll('~', '~0') : segment;
  return text.includes('/') ? text.replaceAll('/', '~1') : text;
}

export function parsePointer(text: Pointer): string[] {
  if (text === '') return [];
  return text
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
