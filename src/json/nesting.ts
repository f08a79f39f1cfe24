import type { Json } from './json.ts';

/** Whether a value has lists and maps in more levels than these. It looks no deeper, so recursion is bounded. */
export function isNestedDeeper(value: Json | undefined, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const child of Object.values(value)) if (isNestedDeeper(child, levels - 1)) return true;
  return false;
}
