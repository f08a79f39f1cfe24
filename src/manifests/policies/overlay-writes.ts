import { isAbsent, isDirective, isForce, isTokens, namePatternOf } from '../../graft/directive.ts';
import { overlayExpressions } from '../../graft/overlay-expressions.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { expressionReads, type Read } from './expression-reads.ts';
import { sharedReads } from './shared-amounts.ts';

/** A place that an overlay may change: the fields that lead to it, through the items of lists. */
export interface Write {
  readonly path: readonly string[];
  /** Whether items are added to the list or removed from it. Other items stay as they are. */
  readonly isOfList: boolean;
}

/** The places that an overlay may change. */
export function overlayWrites(overlay: JsonObject): readonly Write[] {
  return writesIn(overlay, []);
}

/** The place that an expression reads and an overlay may change; undefined if there is none. */
export function meetingPlace(reads: readonly Read[], writes: readonly Write[]): string | undefined {
  for (const read of reads) {
    for (const write of writes) {
      if (read.isOfItem && write.isOfList) continue;
      const common = Math.min(read.path.length, write.path.length);
      if (read.path.slice(0, common).every((field, index) => field === write.path[index])) {
        return read.path.join('.') || 'object';
      }
    }
  }
  return undefined;
}

/** The places that the expressions of an overlay read, and those that its defaults depend on. */
export function overlayReads(
  overlay: JsonObject,
  variables: Readonly<Record<string, string>>,
): readonly Read[] {
  return [
    ...overlayExpressions(overlay).flatMap(({ expression, itemOf }) =>
      expressionReads(expression, variables, itemOf),
    ),
    ...sharedReads(overlay).map((path) => ({ path, isOfItem: false })),
  ];
}

function writesIn(value: Json, path: readonly string[]): readonly Write[] {
  if (isJsonArray(value)) {
    return value.flatMap((item) => {
      if (!isJsonObject(item) || isAbsent(item) || typeof item.name !== 'string') {
        return [{ path, isOfList: true }, ...(isAbsent(item) ? [] : writesIn(item, path))];
      }
      const isPattern = namePatternOf(item) !== undefined;
      const { name: _, ...fields } = item;
      return [...(isPattern ? [] : [{ path, isOfList: true }]), ...writesIn(fields, path)];
    });
  }
  if (!isJsonObject(value) || isForce(value) || isAbsent(value) || isTokens(value)) {
    return [{ path, isOfList: false }];
  }
  const fields = Object.keys(value).filter((key) => !isDirective(key));
  if (fields.length === 0) return [{ path, isOfList: false }];
  return fields.flatMap((key) => writesIn(value[key] as Json, [...path, key]));
}
