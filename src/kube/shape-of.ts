import { shapes } from './generated/shapes.ts';
import { type Shape, struct } from './shape.ts';

/** The merge shape of a kind; one we do not know merges as plain JSON, but its metadata is metadata everywhere. */
export function shapeOf(apiVersion: string, kind: string): Shape {
  return byKind.get(kind)?.get(apiVersion) ?? UNKNOWN_KIND;
}

/** By kind, then by apiVersion: asked for every object, without making a key of the two. */
const byKind = new Map<string, Map<string, Shape>>();
for (const [key, shape] of Object.entries(shapes)) {
  const slash = key.lastIndexOf('/');
  const kind = key.slice(slash + 1);
  const versions = byKind.get(kind) ?? new Map<string, Shape>();
  byKind.set(kind, versions.set(key.slice(0, slash), shape));
}

const POD = shapes['v1/Pod'];
const METADATA = POD?.type === 'struct' ? POD.fields.get('metadata') : undefined;
const UNKNOWN_KIND = struct(METADATA ? { metadata: METADATA } : {});
