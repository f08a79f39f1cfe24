import type { JsonObject } from '../../json/json.ts';
import type { ResourceRef } from '../../kube/resource.ts';
import type { Stage } from '../../pipeline/pipeline.ts';
import type { DeclaredOverlay } from '../../sdk/injector.ts';
import type { ObjectRef } from '../../sdk/reads.ts';
import { expressionReads, type Read } from './expression-reads.ts';
import { overlayReads } from './overlay-writes.ts';

/** What policies are made from. */
export interface Source {
  readonly injector: string;
  readonly overlay: JsonObject;
  readonly variables: Readonly<Record<string, string>>;
  /** The object that expressions see as `params`. */
  readonly params?: {
    readonly ref: ResourceRef;
    readonly place: { readonly name: string; readonly namespace?: string };
  };
  /** Those of `match`. */
  readonly conditions: readonly string[];
}

/** The overlay of an injector that only merges one; undefined for other injectors. */
export function sourceOf({ name, injector, config, match }: Stage): Source | undefined {
  const declared: DeclaredOverlay | undefined = injector.asOverlay?.(config);
  if (declared === undefined) return undefined;
  const { overlay, variables = {}, params } = declared;
  const conditions = (match.conditions ?? []).map(({ expression }) => expression);
  return { injector: name, overlay, variables, conditions, ...(params && { params: paramsOf(params) }) };
}

function paramsOf({ ref, ...place }: ObjectRef): NonNullable<Source['params']> {
  return { ref, place };
}

/** All places of the object that its expressions look at. */
export function readsOf({ overlay, variables, conditions }: Source): readonly Read[] {
  return [
    ...overlayReads(overlay, variables),
    ...conditions.flatMap((expression) => expressionReads(expression)),
  ];
}
