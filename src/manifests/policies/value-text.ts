import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { quoted } from './cel-text.ts';

/** The CEL text of a value, or of an `optional_type(dyn)` if the value depends on a condition. */
export interface ValueText {
  readonly text: string;
  readonly isOptional: boolean;
}

/**
 * A value as CEL. `{$expression: text}` stands for the text itself, `{$optional: text}` for an optional, `{$when: text, …}` for a value
 * under a condition; all of them are operands as they are. Lists and maps are absent if all of their parts are.
 */
export function valueText(value: Json): ValueText {
  if (typeof value === 'string') return certain(quoted(value));
  if (isJsonArray(value)) {
    const { elements, isEmptiable } = elementsOf(value);
    return collection(`[${elements.map(({ text }) => text).join(', ')}]`, isEmptiable);
  }
  if (!isJsonObject(value)) return certain(JSON.stringify(value));
  const { $expression, $optional, $when, ...members } = value;
  if (typeof $when === 'string') return conditional($when, withoutCondition(value));
  if (typeof $expression === 'string') return certain($expression);
  if (typeof $optional === 'string') return { text: $optional, isOptional: true };
  const { elements, isEmptiable } = elementsOf(Object.values(members));
  const entries = Object.keys(members).map((key, index) => {
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
export function withoutCondition({ $when: _, ...others }: JsonObject): Json {
  const keys = Object.keys(others);
  if (keys.length === 0) return null;
  return keys.length === 1 && '$value' in others ? (others.$value as Json) : others;
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
