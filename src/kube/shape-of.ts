import { shapes } from './generated/shapes.ts';
import { type Shape, struct } from './shape.ts';

/** The merge shape of a kind; one we do not know merges as plain JSON, but its metadata is metadata everywhere. */
export function shapeOf(apiVersion: string, kind: string): Shape {
  const key = `${apiVersion}/${kind}`;
  return (Object.hasOwn(shapes, key) ? shapes[key] : undefined) ?? UNKNOWN_KIND;
}

const POD = shapes['v1/Pod'];
const METADATA = POD?.type === 'struct' ? POD.fields.get('metadata') : undefined;
const UNKNOWN_KIND = struct(METADATA ? { metadata: METADATA } : {});
