import { expandOverlay } from '../../graft/expand-overlay.ts';
import { graft } from '../../graft/graft.ts';
import { type Shape, struct } from '../../graft/shape.ts';
import type { Json } from '../../json/json.ts';

/** What the merge adds for a member of an object that lacks it; undefined for nothing. */
export function plainValue(key: string, wanted: Json, shape: Shape): Json | undefined {
  const overlay = expandOverlay({ [key]: wanted }, {});
  return graft({}, overlay, struct({ [key]: shape })).object[key];
}
