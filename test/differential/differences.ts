import { isJsonArray, isJsonObject, type Json, tryParseJson } from '../../src/sdk/index.ts';

/** Where two Pods differ, as `path: ours | theirs`. JSON in texts is compared by meaning. */
export function differences(ours: Json, theirs: Json, path = ''): readonly string[] {
  if (JSON.stringify(ours) === JSON.stringify(theirs)) return [];
  if (isJsonObject(ours) && isJsonObject(theirs)) {
    const keys = new Set([...Object.keys(ours), ...Object.keys(theirs)]);
    return [...keys].flatMap((key) => differences(ours[key] ?? null, theirs[key] ?? null, `${path}/${key}`));
  }
  if (isJsonArray(ours) && isJsonArray(theirs)) {
    const length = Math.max(ours.length, theirs.length);
    return Array.from({ length }, (_, at) => {
      const [one, other] = [ours[at] ?? null, theirs[at] ?? null];
      const { name } = (isJsonObject(one) ? one : isJsonObject(other) ? other : {}) as { name?: string };
      return differences(one, other, `${path}/${name ?? at}`);
    }).flat();
  }
  if (typeof ours === 'string' && typeof theirs === 'string' && /^\s*[[{]/.test(ours)) {
    const [one, other] = [tryParseJson(ours), tryParseJson(theirs)];
    if (one !== undefined && other !== undefined) {
      const inner = differences(one, other, `${path}#`);
      if (inner.length === 0 && ours !== theirs) return [];
      return inner;
    }
  }
  return [`${path}: ${shown(ours)} | ${shown(theirs)}`];
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}
