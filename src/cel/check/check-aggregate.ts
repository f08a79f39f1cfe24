import type { List, MapLiteral, Struct } from '../syntax/ast.ts';
import { formatType, listOf, mapOf, optionalOf, type Type, unwrapOptional } from '../types.ts';
import type { CheckContext } from './check-context.ts';

/** Checks a list, map or object literal. */
export function checkAggregate(checker: CheckContext, expression: List | MapLiteral | Struct): Type {
  if (expression.kind === 'list') return checkList(checker, expression);
  return expression.kind === 'map' ? checkMap(checker, expression) : checkStruct(checker, expression);
}

function checkList(checker: CheckContext, list: List): Type {
  let type: Type | undefined;
  for (const { value, optional } of list.elements) {
    const found = checker.check(value);
    type = checker.join(type, optional ? unwrap(checker, value.at, found) : found);
  }
  return listOf(type ?? checker.fresh());
}

function checkMap(checker: CheckContext, map: MapLiteral): Type {
  let keyType: Type | undefined;
  let valueType: Type | undefined;
  for (const { key, value, optional } of map.entries) {
    keyType = checker.join(keyType, checker.check(key));
    const found = checker.check(value);
    valueType = checker.join(valueType, optional ? unwrap(checker, value.at, found) : found);
  }
  return mapOf(keyType ?? checker.fresh(), valueType ?? checker.fresh());
}

function checkStruct(checker: CheckContext, struct: Struct): Type {
  const name = struct.typeName.startsWith('.') ? struct.typeName.slice(1) : struct.typeName;
  const variable = checker.environment.variables.get(name);
  if (variable !== undefined) return checker.report(struct.at, `'${variable.name}' is not a type`);
  const type = checker.findType(name);
  if (type === undefined) return checker.undeclared(struct.at, struct.typeName);
  if (checker.environment.findStruct(name) === undefined) {
    return checker.report(struct.at, `'${type.name}' is not a message type`);
  }
  for (const { at, name: field, value, optional } of struct.fields) {
    const found = checker.check(value);
    const given = optional ? unwrap(checker, value.at, found) : found;
    const declared = checker.environment.findStruct(name)?.field(field);
    if (declared === undefined) checker.fieldType(at, name, field);
    else if (!checker.isAssignable(declared, given)) {
      const text = `expected type of field '${field}' is '${formatType(declared)}' but provided type is '${formatType(given)}'`;
      checker.report(at, text);
    }
  }
  return type;
}

/** The type inside an optional element. Anything but an optional or dyn is reported. */
function unwrap(checker: CheckContext, at: number, type: Type): Type {
  const inside = unwrapOptional(type);
  if (inside === undefined && type.kind !== 'dyn' && type.kind !== 'error') {
    checker.mismatch(at, optionalOf(type), type);
  }
  return inside ?? type;
}
