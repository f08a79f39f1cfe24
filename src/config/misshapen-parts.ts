import { metadata } from '../injectors/metadata/metadata.ts';
import { checkShape } from '../injectors/overlay/check-shape.ts';
import { overlay } from '../injectors/overlay/overlay.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';
import { metadataProblems } from '../kube/metadata-problems.ts';
import { apiVersionOf } from '../kube/resource.ts';
import { shapeOf } from '../kube/shape-of.ts';
import type { Stage } from '../pipeline/pipeline.ts';
import type { ConfigIssue } from '../sdk/config.ts';

/**
 * What is written by hand and would make an object that the API server refuses. Looked for here, since an overlay knows what it
 * is for only together with what it is matched with.
 */
export function misshapenParts(stage: Stage): ConfigIssue[] {
  const { injector, config } = stage;
  const written = injector.wishes?.(config);
  if (written === undefined) return [];
  if (injector === metadata) return metadataIssues(written, ['with']);
  if (injector !== overlay) return [];
  return [...shapeIssues(written, stage), ...metadataIssues(written, ['with', 'overlay', 'metadata'])];
}

function metadataIssues(written: JsonObject, at: readonly string[]): ConfigIssue[] {
  const problems = isJsonObject(written.metadata) ? metadataProblems(written.metadata) : [];
  return problems.map(({ path, message }) => ({ path: [...at, ...path], message }));
}

function shapeIssues(written: JsonObject, { match }: Stage): ConfigIssue[] {
  const shapes = new Set(
    match.kinds.map((kind) => (kind === '*' ? shapeOf('', '*') : shapeOf(apiVersionOf(kind), kind.kind))),
  );
  return [...shapes].flatMap((shape) =>
    checkShape(written, shape).map(({ path, message }) => ({ path: ['with', 'overlay', ...path], message })),
  );
}
