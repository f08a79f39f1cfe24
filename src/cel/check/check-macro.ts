import type { Fold, OptionalMap } from '../syntax/ast.ts';
import { BOOL, DYN, ERROR, formatType, INT, listOf, mapOf, optionalOf, type Type } from '../types.ts';
import type { CheckContext } from './check-context.ts';

/** Checks a macro that walks a list or map, as if it were written with the operators that cel-go expands it to. */
export function checkFold(checker: CheckContext, fold: Fold): Type {
  const range = checker.resolve(checker.check(fold.range));
  const accumulator = initialType(checker, fold);
  const [first, second] = variableTypes(checker, fold, range);
  const variables = {
    [fold.variable]: first,
    ...(fold.variable2 !== undefined && { [fold.variable2]: second }),
  };
  checker.scoped(variables, () => checkStep(checker, fold, accumulator, first));
  return fold.shape === 'one' ? BOOL : checker.resolve(accumulator);
}

function initialType(checker: CheckContext, fold: Fold): Type {
  switch (fold.shape) {
    case 'all':
    case 'exists':
      return BOOL;
    case 'one':
      return INT;
    case 'list':
      return listOf(checker.fresh());
    case 'map':
    case 'entries':
      return mapOf(checker.fresh(), checker.fresh());
  }
}

function variableTypes(checker: CheckContext, fold: Fold, range: Type): readonly [Type, Type] {
  const [first = DYN, second = DYN] = range.parameters;
  switch (range.kind) {
    case 'list':
      return fold.variable2 === undefined ? [first, ERROR] : [INT, first];
    case 'map':
      return [first, second];
    case 'dyn':
    case 'error':
    case 'parameter':
      checker.isAssignable(DYN, range);
      return [DYN, DYN];
    default:
      checker.report(
        fold.range.at,
        `expression of type '${formatType(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
      );
      return [ERROR, ERROR];
  }
}

function checkStep(checker: CheckContext, fold: Fold, accumulator: Type, variable: Type): void {
  const { at, shape, filter, body } = fold;
  const filterType = filter && checker.check(filter);
  const bodyType = checker.check(body);
  const call = (name: string, ...types: readonly Type[]) =>
    checker.resolveCall(fold, name, types, 'function');
  let step: Type;
  switch (shape) {
    case 'all':
    case 'exists':
      if (!checker.isAssignable(bodyType, BOOL)) checker.mismatch(body.at, BOOL, bodyType);
      return;
    case 'one':
      call('_?_:_', bodyType, INT, INT);
      return;
    case 'list':
      step = call('_+_', accumulator, listOf(bodyType));
      break;
    case 'map':
      step = call('cel.@mapInsert', accumulator, variable, bodyType);
      break;
    case 'entries':
      step = call('cel.@mapInsert', accumulator, bodyType);
      break;
  }
  if (filterType !== undefined) step = call('_?_:_', filterType, step, accumulator);
  if (!checker.isAssignable(accumulator, step)) checker.mismatch(at, accumulator, step);
}

/** `target.hasValue() ? optional.of(body) : optional.none()`, where the variable is `target.value()`. */
export function checkOptionalMap(checker: CheckContext, expression: OptionalMap): Type {
  const target = checker.check(expression.target);
  checker.resolveCall(expression, 'hasValue', [target], 'method');
  const value = checker.resolveCall(expression, 'value', [target], 'method');
  const body = checker.scoped({ [expression.variable]: value }, () => checker.check(expression.body));
  const mapped = expression.flat ? body : optionalOf(body);
  return checker.resolveCall(
    expression,
    '_?_:_',
    [BOOL, checker.resolve(mapped), optionalOf(checker.fresh())],
    'function',
  );
}
