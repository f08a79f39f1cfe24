/** Patterns with a star at the beginning, at the end, or both. */
export function matchesWildcard(pattern: string, name: string): boolean {
  const startsOpen = pattern.startsWith('*');
  const endsOpen = pattern.endsWith('*');
  const text = pattern.slice(startsOpen ? 1 : 0, endsOpen && pattern.length > 1 ? -1 : undefined);
  if (startsOpen) return endsOpen ? name.includes(text) : name.endsWith(text);
  return endsOpen ? name.startsWith(text) : name === text;
}

/** The end of the name is not known yet, so that only a pattern with a star there can match. */
export function matchesGenerateName(pattern: string, generateName: string): boolean {
  return pattern.endsWith('*') && matchesWildcard(pattern, generateName);
}
