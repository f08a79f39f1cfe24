import { implementationOf } from '../plan/implementation.ts';
import type { Call, Expression, List, MapLiteral } from '../syntax/ast.ts';
import type { Issue } from '../syntax/issue.ts';
import { childrenOf } from '../syntax/limit-depth.ts';
import { DYN, formatType, sameType, type Type, unwrapOptional } from '../types.ts';
import { Failure } from '../values/values.ts';
import type { Checked } from './checked.ts';

/** What is wrong with literals, besides their types: timestamps, durations and patterns, and mixed lists and maps. */
export function validateLiterals(expression: Expression, checked: Checked): readonly Issue[] {
  const issues: Issue[] = [];
  visit(expression, false);
  return issues;

  function visit(part: Expression, inFormat: boolean): void {
    if (part.kind === 'call') issues.push(...validateCall(part, checked));
    if (part.kind === 'list' && !inFormat) issues.push(...validateList(part, checked));
    if (part.kind === 'map' && !inFormat) issues.push(...validateMap(part, checked));
    const isFormat = inFormat || (part.kind === 'call' && part.name === 'format');
    for (const child of childrenOf(part)) visit(child, isFormat);
  }
}

function* validateCall(call: Call, checked: Checked): Generator<Issue> {
  const resolved = checked.calls.get(call);
  const [argument] = call.args;
  if (resolved === undefined || argument?.kind !== 'literal') return;
  const { name } = resolved.declaration;
  if (name !== 'duration' && name !== 'timestamp') return;
  if (implementationOf(resolved)(argument.value) instanceof Failure) {
    yield { at: argument.at, text: `invalid ${name} argument` };
  }
}

function* validateList({ elements }: List, checked: Checked): Generator<Issue> {
  let expected: Type | undefined;
  for (const { value, optional } of elements) {
    const type = typeOf(checked, value, optional);
    expected ??= type;
    if (isEquivalent(expected, type)) continue;
    yield mismatch(value.at, expected, type);
    return;
  }
}

function* validateMap({ entries }: MapLiteral, checked: Checked): Generator<Issue> {
  let keys: Type | undefined;
  let values: Type | undefined;
  for (const { key, value, optional } of entries) {
    const keyType = typeOf(checked, key, false);
    const valueType = typeOf(checked, value, optional);
    keys ??= keyType;
    values ??= valueType;
    if (!isEquivalent(keys, keyType)) yield mismatch(key.at, keys, keyType);
    if (!isEquivalent(values, valueType)) yield mismatch(value.at, values, valueType);
  }
}

function typeOf(checked: Checked, expression: Expression, optional: boolean): Type {
  const type = checked.types.get(expression) ?? DYN;
  return (optional ? unwrapOptional(type) : undefined) ?? type;
}

/** Types with the same name and equivalent parameters. Parameters that are not known fit any. */
function isEquivalent(a: Type, b: Type): boolean {
  return sameType(a, b);
}

function mismatch(at: number, expected: Type, found: Type): Issue {
  return { at, text: `expected type '${formatType(expected)}' but found '${formatType(found)}'` };
}
