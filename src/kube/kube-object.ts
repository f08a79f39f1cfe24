import type { JsonObject } from '../json/json.ts';
import type { ObjectMeta } from './generated/types.ts';

export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** Any object of the API. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: DeepReadonly<ObjectMeta>;
  readonly [field: string]: unknown;
}

/** Empty if absent. */
export function annotationsOf(object: { readonly metadata: DeepReadonly<ObjectMeta> }): StringMap {
  return object.metadata.annotations ?? EMPTY;
}

export function labelsOf(object: { readonly metadata: DeepReadonly<ObjectMeta> }): StringMap {
  return object.metadata.labels ?? EMPTY;
}

/** RFC 3339; undefined if the object is not from a cluster. */
export function createdAt(object: KubeObject): string | undefined {
  const { creationTimestamp } = asJson(object.metadata);
  return typeof creationTimestamp === 'string' ? creationTimestamp : undefined;
}

export type StringMap = { readonly [key: string]: string };

const EMPTY: StringMap = Object.freeze({});

/** The same object as plain JSON, for the engine; the typed view is for authors of injectors. */
export function asJson(object: object): JsonObject {
  return object as JsonObject;
}
