import { patternProblem } from '../functions/regex-library.ts';
import { checkFormat, verbProblem } from '../library/format.ts';
import type { FormatVerb } from '../library/parse-format.ts';
import { implementationOf } from '../plan/implementation.ts';
import type { Call, Expression, List, MapLiteral } from '../syntax/ast.ts';
import type { Issue } from '../syntax/issue.ts';
import { childrenOf } from '../syntax/limit-depth.ts';
import { DYN, formatType, sameType, type Type, unwrapOptional } from '../types.ts';
import { Failure } from '../values/values.ts';
import type { Checked } from './checked.ts';

/** Finds invalid literals, besides wrong types: timestamps, durations and patterns, and mixed lists and maps. */
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
  if (resolved === undefined || argument === undefined) return;
  const { name } = resolved.declaration;
  if (name === 'format') yield* validateFormat(call, checked);
  if (argument.kind !== 'literal') return;
  if (name === 'duration' || name === 'timestamp') {
    const value = implementationOf(resolved)(argument.value);
    if (value instanceof Failure) yield { at: argument.at, text: `invalid ${name} argument` };
  }
  // cel-go checks the first argument even of the function `matches(text, pattern)`.
  if (
    name === 'matches' &&
    typeof argument.value === 'string' &&
    patternProblem(argument.value) !== undefined
  ) {
    yield { at: argument.at, text: 'invalid matches argument' };
  }
}

/** Checks a literal format and the types of its arguments, if they are a literal list. */
function* validateFormat(call: Call, checked: Checked): Generator<Issue> {
  const [list] = call.args;
  const { target } = call;
  if (list?.kind !== 'list' || target?.kind !== 'literal' || typeof target.value !== 'string') return;
  const problem = checkFormat<Issue>(target.value, list.elements.length, (index, verb) => {
    const argument = list.elements[index]?.value;
    return argument && formatProblem(argument, verb, checked);
  });
  if (typeof problem === 'string') yield { at: call.at, text: problem };
  else if (problem !== undefined) yield problem;
}

function formatProblem(argument: Expression, verb: FormatVerb, checked: Checked): Issue | undefined {
  const type = checked.types.get(argument) ?? DYN;
  const text = type.kind === 'dyn' ? undefined : verbProblem(verb, type.name);
  if (text !== undefined) return { at: argument.at, text };
  if (verb !== 's' || (argument.kind !== 'list' && argument.kind !== 'map')) return undefined;
  for (const member of childrenOf(argument)) {
    const problem = formatProblem(member, verb, checked);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function* validateList({ elements }: List, checked: Checked): Generator<Issue> {
  let expected: Type | undefined;
  for (const { value, optional } of elements) {
    const type = typeOf(checked, value, optional);
    expected ??= type;
    if (sameType(expected, type)) continue;
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
    if (!sameType(keys, keyType)) yield mismatch(key.at, keys, keyType);
    if (!sameType(values, valueType)) yield mismatch(value.at, values, valueType);
  }
}

function typeOf(checked: Checked, expression: Expression, optional: boolean): Type {
  const type = checked.types.get(expression) ?? DYN;
  return (optional ? unwrapOptional(type) : undefined) ?? type;
}

function mismatch(at: number, expected: Type, found: Type): Issue {
  return { at, text: `expected type '${formatType(expected)}' but found '${formatType(found)}'` };
}
