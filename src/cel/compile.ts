import { check } from './check/checker.ts';
import { validateLiterals } from './check/validate-literals.ts';
import { CelCompileError, issuesError } from './compile-error.ts';
import type { Environment } from './declarations.ts';
import { plan } from './plan/planner.ts';
import { ProgramFailure } from './plan/program-failure.ts';
import { createProgram, type Program } from './program.ts';
import { parse } from './syntax/parser.ts';
import { formatResultType, sameType, type Type } from './types.ts';

export interface CompileOptions {
  /** The type that the result must have; one of them if there are several. */
  readonly resultType?: Type | readonly Type[];
}

/**
 * Compiles an expression. Throws a CelCompileError that lists all problems: syntax, names, types, literals,
 * the type of the result, constant parts that always fail.
 *
 *     const program = compile("object.spec.replicas > 3", environment, { resultType: BOOL });
 *     program.evaluate({ object }); // true, false, or throws a CelError
 */
export function compile(expression: string, environment: Environment, options: CompileOptions = {}): Program {
  const parsed = parse(expression);
  if ('issues' in parsed) throw issuesError(expression, parsed.issues);
  const checked = check(parsed.expression, environment);
  if ('issues' in checked) throw issuesError(expression, checked.issues);
  const issues = validateLiterals(parsed.expression, checked.checked);
  if (issues.length > 0) throw issuesError(expression, issues);
  checkResultType(expression, checked.type, options.resultType);
  try {
    const { step, localCount } = plan(parsed.expression, checked.checked, environment);
    return createProgram(expression, checked.type, step, localCount);
  } catch (error) {
    if (!(error instanceof ProgramFailure)) throw error;
    throw new CelCompileError(expression, `program instantiation failed: ${error.message}`);
  }
}

function checkResultType(expression: string, type: Type, wanted: CompileOptions['resultType']): void {
  if (wanted === undefined) return;
  const types = 'kind' in wanted ? [wanted] : wanted;
  if (types.some((candidate) => sameType(candidate, type))) return;
  const names = types.map(formatResultType);
  const expected = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  const text = `must evaluate to ${expected} but got ${formatResultType(type)}`;
  // The API server prints no position. The whole expression is meant, from its beginning.
  throw new CelCompileError(expression, text, [{ at: 0, text }]);
}
