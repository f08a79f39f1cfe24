import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { metadataProblems } from '../../kube/metadata-problems.ts';
import { apiVersionOf, type ResourceRef } from '../../kube/resource.ts';
import { shapeOf } from '../../kube/shape-of.ts';
import type { OverlayIssue } from './check-overlay.ts';
import { checkShape } from './check-shape.ts';

/** What is written in an overlay that no object of these kinds can have. */
export function checkKinds(overlay: JsonObject, kinds: readonly (ResourceRef | '*')[]): OverlayIssue[] {
  const shapes = new Set(
    kinds.map((kind) => (kind === '*' ? shapeOf('', '*') : shapeOf(apiVersionOf(kind), kind.kind))),
  );
  const { metadata } = overlay;
  return [
    ...[...shapes].flatMap((shape) => checkShape(overlay, shape)),
    ...(isJsonObject(metadata) ? metadataProblems(metadata) : []).map(({ path, message }) => ({
      path: ['metadata', ...path],
      message,
    })),
  ];
}
