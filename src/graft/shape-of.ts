import { shapes } from './generated/shapes.ts';
import { type Shape, struct } from './shape.ts';

/** The shape of a kind. An unknown kind merges as plain JSON, except for its metadata, which every kind has. */
export function shapeOf(apiVersion: string, kind: string): Shape {
  return byKind.get(kind)?.get(apiVersion) ?? UNKNOWN_KIND;
}

/** By kind, then by apiVersion. */
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
