import { type Cel, cel, isCel } from '../../graft/directive.ts';
import type { Json } from '../../json/json.ts';

/** What a policy has in the place of an expression. */
export type Translation =
  /** CEL that always has a value. */
  | { readonly type: 'expression'; readonly text: string }
  /** CEL of type `optional_type(dyn)`. */
  | { readonly type: 'optional'; readonly text: string }
  /** The value that a directive sets, if its condition is true. */
  | { readonly type: 'constant'; readonly value: Json };

/** An expression of a translated overlay, in which all have a translation. The merge keeps it as it is. */
export type Translated = Cel & { readonly translation: Translation };

export function translated(expression: string, translation: Translation): Translated {
  return { ...cel(expression), translation };
}

/** Whether a value of a translated overlay is one that only the API server will know. */
export function isTranslated(value: Json): value is Translated {
  return isCel(value);
}
