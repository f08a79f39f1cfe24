import { firstMessages, matchesNamePattern, quoted } from '../../../sdk/index.ts';
import { OVERRIDES, STATUS } from '../names.ts';

/** Why the settings forbid a Pod; undefined if they do not. An earlier injection wrote the two records itself. */
export function forbiddenAnnotations(
  annotations: Readonly<Record<string, unknown>>,
  patterns: readonly string[],
): string | undefined {
  if (patterns.length === 0) return undefined;
  const found = Object.keys(annotations).filter(
    (name) =>
      name !== STATUS && name !== OVERRIDES && patterns.some((pattern) => matchesNamePattern(pattern, name)),
  );
  if (found.length === 0) return undefined;
  const names = firstMessages(found.map(quoted)).join(', ');
  return `Cannot inject: annotation ${names} is not allowed (setting "forbiddenAnnotations")`;
}
