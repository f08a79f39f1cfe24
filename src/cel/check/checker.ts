import type { Environment, FunctionDeclaration, Overload } from '../declarations.ts';
import {
  type Call,
  type Expression,
  type Index,
  type Logic,
  qualifiedName,
  type Select,
} from '../syntax/ast.ts';
import type { Issue } from '../syntax/issue.ts';
import {
  BOOL,
  DYN,
  ERROR,
  formatType,
  optionalOf,
  parameter,
  type Type,
  typeOfType,
  unwrapOptional,
} from '../types.ts';
import { findWellKnownType } from '../well-known-types.ts';
import { checkAggregate } from './check-aggregate.ts';
import type { CheckContext } from './check-context.ts';
import { checkFold, checkOptionalMap } from './check-macro.ts';
import type { Checked, Reference, ResolvedCall } from './checked.ts';
import { mostGeneral, substitute, unify } from './unify.ts';

/** Checks the types of an expression: strictly between known types, leniently with dyn. */
export function check(
  expression: Expression,
  environment: Environment,
): { type: Type; checked: Checked } | { issues: readonly Issue[] } {
  const checker = new Checker(environment);
  const type = checker.check(expression);
  if (checker.issues.length > 0) return { issues: checker.issues };
  return { type: checker.resolve(type, 'dyn'), checked: checker.result() };
}

class Checker implements CheckContext {
  readonly issues: Issue[] = [];
  readonly environment: Environment;
  private readonly types = new Map<Expression, Type>();
  private readonly calls = new Map<Expression, ResolvedCall>();
  private readonly references = new Map<Expression, Reference>();
  private readonly scopes: { readonly name: string; readonly type: Type }[] = [];
  private readonly substitutions = new Map<string, Type>();
  private freshCount = 0;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  result(): Checked {
    for (const [expression, type] of this.types) this.types.set(expression, this.resolve(type, 'dyn'));
    return { types: this.types, calls: this.calls, references: this.references };
  }

  check(expression: Expression): Type {
    const type = this.typeOf(expression);
    this.types.set(expression, type);
    return type;
  }

  report(at: number, text: string): Type {
    this.issues.push({ at, text });
    return ERROR;
  }

  mismatch(at: number, expected: Type, found: Type): Type {
    return this.report(at, `expected type '${formatType(expected)}' but found '${formatType(found)}'`);
  }

  fresh(): Type {
    return parameter(`_var${this.freshCount++}`);
  }

  resolve(type: Type, unbound: 'keep' | 'dyn' = 'keep'): Type {
    return substitute(this.substitutions, type, unbound);
  }

  isAssignable(type: Type, expected: Type): boolean {
    return this.unifyAll([type], [expected]);
  }

  join(previous: Type | undefined, current: Type): Type {
    if (previous === undefined) return current;
    return this.isAssignable(previous, current) ? mostGeneral(previous, current) : DYN;
  }

  /** Checks with additional variables. */
  scoped<T>(variables: Readonly<Record<string, Type>>, run: () => T): T {
    const before = this.scopes.length;
    for (const [name, type] of Object.entries(variables)) this.scopes.push({ name, type });
    const result = run();
    this.scopes.length = before;
    return result;
  }

  /** The type of a call; reports it if no overload fits. */
  resolveCall(expression: Expression, name: string, types: readonly Type[], style: Overload['style']): Type {
    const declaration = this.environment.functions.get(name);
    if (declaration === undefined) return this.undeclared(expression.at, name);
    return this.resolveOverload(expression, declaration, types, style, false);
  }

  undeclared(at: number, name: string): Type {
    return this.report(at, `undeclared reference to '${name}' (in container '')`);
  }

  /** The type of a field of a declared type. */
  fieldType(at: number, structName: string, field: string): Type {
    const struct = this.environment.findStruct(structName);
    if (struct === undefined) return this.report(at, `unexpected failed resolution of '${structName}'`);
    return struct.field(field) ?? this.report(at, `undefined field '${field}'`);
  }

  findType(name: string): Type | undefined {
    const known = this.environment.typeNames.get(name) ?? findWellKnownType(name)?.type;
    if (known !== undefined) return known;
    return this.environment.findStruct(name) && { kind: 'struct', name, parameters: [] };
  }

  private typeOf(expression: Expression): Type {
    switch (expression.kind) {
      case 'literal':
        return expression.type;
      case 'name':
        return this.checkName(expression, expression.name) ?? this.undeclared(expression.at, expression.name);
      case 'select':
        return this.checkSelect(expression);
      case 'index':
        return this.checkIndex(expression);
      case 'call':
        return this.checkCall(expression);
      case 'logic':
        return this.checkLogic(expression);
      case 'list':
      case 'map':
      case 'struct':
        return checkAggregate(this, expression);
      case 'fold':
        return checkFold(this, expression);
      case 'optionalMap':
        return checkOptionalMap(this, expression);
      case 'bind': {
        const type = this.check(expression.value);
        return this.scoped({ [expression.variable]: type }, () => this.resolve(this.check(expression.body)));
      }
    }
  }

  /** The type of a variable or of the name of a type; undefined if there is none. */
  private checkName(expression: Expression, dottedName: string): Type | undefined {
    const name = dottedName.startsWith('.') ? dottedName.slice(1) : dottedName;
    const variable =
      this.scopes.findLast((local) => local.name === name)?.type ?? this.environment.variables.get(name);
    if (variable !== undefined) {
      this.references.set(expression, { variable: name });
      return variable;
    }
    const type = this.findType(name);
    if (type === undefined) return undefined;
    this.references.set(expression, { typeName: name });
    return typeOfType(type);
  }

  private checkSelect(expression: Select): Type {
    const { at, operand, field, mode } = expression;
    const name = qualifiedName(expression);
    const variable = name === undefined ? undefined : this.checkName(expression, name);
    if (variable !== undefined) return variable;
    const operandType = this.resolve(this.check(operand));
    const inside = unwrapOptional(operandType);
    const type = this.selectField(at, inside ?? operandType, field);
    if (mode === 'presence') return BOOL;
    return this.resolve(inside !== undefined || mode === 'optional' ? optionalOf(type) : type);
  }

  private selectField(at: number, type: Type, field: string): Type {
    if (type.kind === 'map') return type.parameters[1] ?? DYN;
    if (type.kind === 'struct') return this.fieldType(at, type.name, field);
    if (type.kind === 'parameter') this.isAssignable(DYN, type);
    else if (type.kind !== 'dyn' && type.kind !== 'error') {
      this.report(at, `type '${formatType(type)}' does not support field selection`);
    }
    return DYN;
  }

  private checkIndex(expression: Index): Type {
    const types = [this.check(expression.operand), this.check(expression.index)];
    return this.resolveCall(expression, expression.optional ? '_[?_]' : '_[_]', types, 'function');
  }

  private checkCall(expression: Call): Type {
    const { at, name, target, args } = expression;
    const types = args.map((arg) => this.check(arg));
    if (target === undefined) {
      const plainName = name.startsWith('.') ? name.slice(1) : name;
      if (!this.environment.functions.has(plainName)) return this.undeclared(at, name);
      return this.resolveCall(expression, plainName, types, 'function');
    }
    // `a.b.c()` is the function a.b.c if there is one, else the method c of a.b.
    const prefix = qualifiedName(target)?.replace(/^\./, '');
    const namespaced = prefix === undefined ? undefined : this.environment.functions.get(`${prefix}.${name}`);
    if (namespaced !== undefined)
      return this.resolveOverload(expression, namespaced, types, 'function', true);
    return this.resolveCall(expression, name, [this.check(target), ...types], 'method');
  }

  private checkLogic(expression: Logic): Type {
    const types = expression.terms.map((term) => this.check(term));
    let failed = false;
    for (const [i, term] of expression.terms.entries()) {
      const type = types[i] ?? ERROR;
      if (this.isAssignable(type, BOOL)) continue;
      this.mismatch(term.at, BOOL, type);
      failed = true;
    }
    return failed ? ERROR : BOOL;
  }

  private resolveOverload(
    expression: Expression,
    declaration: FunctionDeclaration,
    types: readonly Type[],
    style: Overload['style'],
    qualified: boolean,
  ): Type {
    let result: Type | undefined;
    const overloads: Overload[] = [];
    for (const overload of declaration.overloads) {
      if (overload.style !== style || overload.parameters.length !== types.length) continue;
      const [overloadResult = ERROR, ...parameters] = this.instantiate([
        overload.result,
        ...overload.parameters,
      ]);
      if (!this.unifyAll(types, parameters)) continue;
      overloads.push(overload);
      const type = this.resolve(overloadResult);
      if (result === undefined) result = type;
      else if (result.kind !== 'dyn' && !isExactly(type, result)) result = DYN;
    }
    if (result === undefined) {
      return this.report(expression.at, this.noOverload(declaration.name, types, style));
    }
    this.calls.set(expression, { declaration, overloads, qualified });
    return result;
  }

  private noOverload(name: string, types: readonly Type[], style: Overload['style']): string {
    const names = types.map((type) => formatType(this.resolve(type, 'dyn')));
    const receiver = style === 'method' ? `${names.shift()}.` : '';
    return `found no matching overload for '${name}' applied to '${receiver}(${names.join(', ')})'`;
  }

  /** Gives the parameters of a declaration fresh names. */
  private instantiate(types: readonly Type[]): readonly Type[] {
    const fresh = new Map<string, Type>();
    const rename = (type: Type): Type => {
      if (type.kind === 'parameter') {
        const known = fresh.get(type.name) ?? this.fresh();
        fresh.set(type.name, known);
        return known;
      }
      return type.parameters.length === 0 ? type : { ...type, parameters: type.parameters.map(rename) };
    };
    return types.map(rename);
  }

  private unifyAll(types: readonly Type[], expected: readonly Type[]): boolean {
    return unify(this.substitutions, types, expected);
  }
}

function isExactly(a: Type, b: Type): boolean {
  return (
    a.kind === b.kind &&
    a.name === b.name &&
    a.parameters.every((part, i) => isExactly(part, b.parameters[i] ?? ERROR))
  );
}
