import type { DeepReadonly } from '../kube/kube-object.ts';
import type { Absent, AbsentItem, Force, Placed, Tokens } from './directive.ts';

/** A partial object whose leaves may be directives. Plain data, readable as YAML. */
export type Overlay<T> = T extends object ? Fields<T> : unknown;

type Fields<T> = { readonly [Key in keyof T]?: Wish<NonNullable<T[Key]>> | undefined };

type Wish<T> = unknown extends T
  ? unknown
  : T extends readonly (infer Item)[]
    ? readonly OverlayItem<Item>[] | Force<DeepReadonly<T>> | Absent
    : T extends object
      ? Fields<T> | Force<DeepReadonly<T>> | Absent
      : T extends string
        ? T | Force<DeepReadonly<T>> | Absent | Tokens
        : T | Force<DeepReadonly<T>> | Absent;

type OverlayItem<Item> = Item extends object
  ? Placed<Fields<Item>> | AbsentItem<DeepReadonly<Partial<Item>>>
  : Item | AbsentItem<Item>;
