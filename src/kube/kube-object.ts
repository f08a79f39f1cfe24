import type { JsonObject } from '../json/json.ts';
import type { ObjectMeta } from './generated/types.ts';

export type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;

/** Any object of the API, as read: what is beyond apiVersion, kind and metadata is unknown here. */
export interface KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: DeepReadonly<ObjectMeta>;
  readonly [field: string]: unknown;
}

/** Annotations or labels; absent reads as empty. */
export function annotationsOf(object: { readonly metadata: DeepReadonly<ObjectMeta> }): StringMap {
  return object.metadata.annotations ?? EMPTY;
}

export function labelsOf(object: { readonly metadata: DeepReadonly<ObjectMeta> }): StringMap {
  return object.metadata.labels ?? EMPTY;
}

export type StringMap = { readonly [key: string]: string };

const EMPTY: StringMap = Object.freeze({});

/** Seen as JSON: the engine works on values, the types are for those who write injectors. */
export function asJson(object: object): JsonObject {
  return object as JsonObject;
}
