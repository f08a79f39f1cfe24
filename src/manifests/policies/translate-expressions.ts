import { compile } from '../../cel/compile.ts';
import type { Environment } from '../../cel/declarations.ts';
import { kubernetesEnvironment, variableType } from '../../cel/kubernetes-environment.ts';
import { DYN, type Type, unwrapOptional } from '../../cel/types.ts';
import {
  expressionOf,
  isCel,
  isDirective,
  namePatternOf,
  whenOf,
  withoutWhen,
  withWhen,
} from '../../graft/directive.ts';
import { type FieldType, typeAt } from '../../graft/field-schema.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { grouped } from '../grouped.ts';
import { Inexpressible } from './inexpressible.ts';
import { type Translation, translated } from './translated.ts';

/** The expressions of an overlay besides those in it. */
export interface ExpressionSettings {
  readonly variables: Readonly<Record<string, string>>;
  readonly hasParams: boolean;
}

/**
 * Adds a translation for a policy to the expressions of an overlay. `root` is the type of the kind, if it is known.
 */
export function translateExpressions(
  overlay: JsonObject,
  root: FieldType | undefined,
  settings: ExpressionSettings,
): JsonObject {
  return translate(overlay, [], { root, environment: environmentOf(settings) }) as JsonObject;
}

interface Scope {
  readonly root: FieldType | undefined;
  readonly environment: Environment;
}

function environmentOf({ variables, hasParams: params }: ExpressionSettings): Environment {
  const types: Record<string, Type> = {};
  const environment = () => kubernetesEnvironment({ params, variables: types, types: { item: DYN } });
  for (const [name, expression] of Object.entries(variables)) {
    types[name] = variableType(compile(expression, environment()).type);
  }
  return environment();
}

function translate(value: Json, fields: readonly string[], scope: Scope): Json {
  if (isJsonArray(value)) {
    return value.map((item) => {
      if (isCel(item) && !isScalarType(typeOf(expressionOf(item), scope))) {
        throw new Inexpressible(`items of "${fields.join('.')}" that an expression makes`);
      }
      return translate(item, fields, scope);
    });
  }
  if (!isJsonObject(value)) return value;
  const when = whenOf(value);
  return withWhen(when && grouped(when), translateContent(value, fields, scope));
}

function translateContent(value: JsonObject, fields: readonly string[], scope: Scope): JsonObject {
  if (isCel(value)) {
    const expression = expressionOf(value);
    return translated(expression, translationOf(expression, fields, scope));
  }
  const isPattern = namePatternOf(value) !== undefined;
  return Object.fromEntries(
    Object.entries(withoutWhen(value)).map(([key, child]) => {
      if (key === 'name' && isPattern) return [key, child];
      return [key, translate(child, isDirective(key) ? fields : [...fields, key], scope)];
    }),
  );
}

function translationOf(expression: string, fields: readonly string[], scope: Scope): Translation {
  const type = typeOf(expression, scope);
  const inner = unwrapOptional(type);
  const own = inner ?? type;
  if (own.kind !== 'null' && !isScalarType(own) && !isScalarField(own, fields, scope)) {
    throw new Inexpressible(`"${fields.join('.')}" may be a list or a map: ${expression}`);
  }
  const text = grouped(expression);
  if (inner !== undefined && own.kind !== 'dyn') {
    return { type: 'optional', text: `${text}.optMap(v, dyn(v))` };
  }
  if (own.kind !== 'dyn' && own.kind !== 'null') return { type: 'expression', text };
  // Null means no value.
  const value = inner === undefined ? text : `${text}.orValue(null)`;
  return { type: 'optional', text: `[dyn(${value})].filter(v, v != null)[?0]` };
}

function typeOf(expression: string, { environment }: Scope): Type {
  return compile(expression, environment).type;
}

function isScalarType({ kind }: Type): boolean {
  return kind === 'string' || kind === 'int' || kind === 'double' || kind === 'bool';
}

/** A value of a type that nobody knows has that of the field, or the API server rejects the object. */
function isScalarField(type: Type, fields: readonly string[], { root }: Scope): boolean {
  const field = type.kind === 'dyn' && root ? typeAt(root, fields) : undefined;
  if (field === undefined) return false;
  return !['struct', 'list', 'map', 'object', 'any'].includes(field.type);
}
