import { isJsonObject, type JsonObject } from '../../json/json.ts';
import { builtin, type ResourceRef } from '../../kube/resource.ts';
import type { Stage } from '../../pipeline/pipeline.ts';
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

/** The overlay of the injectors whose configuration is one; undefined for other injectors. */
export function sourceOf({ name, injector, config, match }: Stage): Source | undefined {
  if (!isJsonObject(config as JsonObject)) return undefined;
  const settings = config as JsonObject;
  const conditions = (match.conditions ?? []).map(({ expression }) => expression);
  if (injector.name === 'metadata') return { injector: name, overlay: settings, variables: {}, conditions };
  const { overlay, variables = {}, params } = settings;
  if (injector.name !== 'overlay' || !isJsonObject(overlay ?? null)) return undefined;
  return {
    injector: name,
    overlay: overlay as JsonObject,
    variables: variables as Record<string, string>,
    conditions,
    ...(params !== undefined && { params: paramsOf(params as unknown as RawParams) }),
  };
}

/** The settings of the injector "overlay". */
interface RawParams {
  readonly kind: string | ResourceRef;
  readonly name: string;
  readonly namespace?: string;
}

function paramsOf({ kind, name, namespace }: RawParams): NonNullable<Source['params']> {
  const ref = typeof kind === 'string' ? builtin(kind) : kind;
  return { ref, place: { name, ...(ref.namespaced && namespace !== undefined && { namespace }) } };
}

/** All places of the object that its expressions look at. */
export function readsOf({ overlay, variables, conditions }: Source): readonly Read[] {
  return [
    ...overlayReads(overlay, variables),
    ...conditions.flatMap((expression) => expressionReads(expression)),
  ];
}
