import { expect } from 'vitest';
import { graft } from '../src/graft/graft.ts';
import { shapeOf } from '../src/graft/shape-of.ts';
import { applyPatch } from '../src/json/apply-patch.ts';
import type { JsonObject } from '../src/json/json.ts';

export const POD = shapeOf('v1', 'Pod');

export function podWith(spec: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', ...metadata },
    spec: { containers: [{ name: 'web', image: 'nginx' }], ...spec },
  };
}

/** Grafts, and checks that the patch gives the same object and that a second graft changes nothing. */
export function grafted(object: JsonObject, overlay: object, shape = POD) {
  const result = graft(object, overlay as JsonObject, shape);
  expect(applyPatch(object, result.patch)).toEqual(result.object);
  expect(graft(result.object, overlay as JsonObject, shape).patch).toEqual([]);
  return result;
}
