import { whenOf, withoutWhen } from '../../graft/directive.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { quoted } from './cel-text.ts';
import { isTranslated, type Translation } from './translated.ts';

/** The CEL text of a value, or of an `optional_type(dyn)` if the value depends on a condition. */
export interface ValueText {
  readonly text: string;
  readonly isOptional: boolean;
}

/**
 * A value of a translated overlay as CEL. Texts of expressions and of values under a condition are operands as they are. Lists and maps
 * are absent if all of their parts are.
 */
export function valueText(value: Json): ValueText {
  if (typeof value === 'string') return certain(quoted(value));
  if (isJsonArray(value)) {
    const { elements, isEmptiable } = elementsOf(value);
    return collection(`[${elements.map(({ text }) => text).join(', ')}]`, isEmptiable);
  }
  if (!isJsonObject(value)) return certain(JSON.stringify(value));
  const when = whenOf(value);
  if (when !== undefined) return conditional(when, withoutCondition(value));
  if (isTranslated(value)) return translationText(value.translation);
  const { elements, isEmptiable } = elementsOf(Object.values(value));
  const entries = Object.keys(value).map((key, index) => {
    const { text = '', isOptional = false } = elements[index] ?? {};
    return isOptional ? `?${quoted(key)}: ${text.slice(1)}` : `${quoted(key)}: ${text}`;
  });
  return collection(`{${entries.join(', ')}}`, isEmptiable);
}

/** The text of a value that depends on no condition. */
export function literal(value: Json): string {
  const { text, isOptional } = valueText(value);
  return isOptional ? `${text}.value()` : text;
}

/** A CEL list of the value; empty if there is none. */
export function valuesText(value: Json): string {
  const { text, isOptional } = valueText(value);
  return isOptional ? `[${text}].filter(o, o.hasValue()).map(o, o.value())` : `[dyn(${text})]`;
}

/** The value of a part whose condition holds; null for nothing. */
export function withoutCondition(value: JsonObject): Json {
  const rest = withoutWhen(value);
  if (Object.keys(rest).length === 0) return null;
  return isTranslated(rest) && rest.translation.type === 'constant' ? rest.translation.value : rest;
}

function translationText(translation: Translation): ValueText {
  switch (translation.type) {
    case 'expression':
      return certain(translation.text);
    case 'optional':
      return { text: translation.text, isOptional: true };
    case 'constant':
      return valueText(translation.value);
  }
}

function certain(text: string): ValueText {
  return { text, isOptional: false };
}

function collection(text: string, isEmptiable: boolean): ValueText {
  return isEmptiable ? { text: `optional.ofNonZeroValue(dyn(${text}))`, isOptional: true } : certain(text);
}

function conditional(condition: string, value: Json): ValueText {
  if (value === null) return { text: 'optional.ofNonZeroValue(dyn([]))', isOptional: true };
  const { text, isOptional } = valueText(value);
  const present = isOptional ? text : `optional.of(dyn(${text}))`;
  return { text: `(${condition} ? ${present} : optional.none())`, isOptional: true };
}

/** The API server refuses lists and maps whose elements have different types: all are then `dyn`. */
function elementsOf(values: readonly Json[]): {
  readonly elements: readonly ValueText[];
  readonly isEmptiable: boolean;
} {
  const isUniform = values.every((value) => typeof value === 'string');
  const elements = values.map((value) => {
    const { text, isOptional } = valueText(value);
    return { text: isOptional ? `?${text}` : isUniform ? text : `dyn(${text})`, isOptional };
  });
  return { elements, isEmptiable: elements.length > 0 && elements.every(({ isOptional }) => isOptional) };
}
