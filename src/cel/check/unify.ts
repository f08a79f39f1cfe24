import { DYN, listOf, mapOf, opaque, sameType, type Type, typeOfType } from '../types.ts';

/** Bindings of type parameters, by name. */
export type Substitutions = ReadonlyMap<string, Type>;

/** Whether each type can be used where its counterpart is expected. Adds the bindings which that requires. */
export function unify(
  substitutions: Map<string, Type>,
  types: readonly Type[],
  expected: readonly Type[],
): boolean {
  const bindings = new Bindings(substitutions);
  if (assignableAll(bindings, types, expected)) return true;
  bindings.undo();
  return false;
}

/** Replaces bound parameters. Unbound ones stay, or become dyn. */
export function substitute(substitutions: Substitutions, type: Type, unbound: 'keep' | 'dyn'): Type {
  switch (type.kind) {
    case 'parameter': {
      const bound = substitutions.get(type.name);
      if (bound !== undefined) return substitute(substitutions, bound, unbound);
      return unbound === 'dyn' ? DYN : type;
    }
    case 'opaque':
      if (type.parameters.length === 0) return type;
      return opaque(type.name, ...type.parameters.map((part) => substitute(substitutions, part, unbound)));
    case 'list':
      return listOf(substitute(substitutions, first(type), unbound));
    case 'map':
      return mapOf(
        substitute(substitutions, first(type), unbound),
        substitute(substitutions, second(type), unbound),
      );
    case 'type':
      if (type.parameters.length === 0) return type;
      return typeOfType(substitute(substitutions, first(type), unbound));
    default:
      return type;
  }
}

/** The more general of two types that unify. */
export function mostGeneral(a: Type, b: Type): Type {
  return isLessSpecific(a, b) ? a : b;
}

/** Substitutions that can be undone. */
class Bindings {
  private readonly substitutions: Map<string, Type>;
  private readonly replaced: { readonly name: string; readonly type: Type | undefined }[] = [];

  constructor(substitutions: Map<string, Type>) {
    this.substitutions = substitutions;
  }

  get(name: string): Type | undefined {
    return this.substitutions.get(name);
  }

  set(name: string, type: Type): void {
    this.replaced.push({ name, type: this.substitutions.get(name) });
    this.substitutions.set(name, type);
  }

  undo(): void {
    for (const { name, type } of this.replaced.reverse()) {
      if (type === undefined) this.substitutions.delete(name);
      else this.substitutions.set(name, type);
    }
  }
}

function assignableAll(bindings: Bindings, types: readonly Type[], expected: readonly Type[]): boolean {
  if (types.length !== expected.length) return false;
  return types.every((type, i) => assignable(bindings, type, expected[i] ?? DYN));
}

function assignable(bindings: Bindings, a: Type, b: Type): boolean {
  if (b.kind === 'parameter') {
    const wasBound = isParameterBound(bindings, a, b);
    if (bind(bindings, a, b)) return true;
    if (wasBound) return false;
  }
  if (a.kind === 'parameter') return bind(bindings, b, a);
  if (isWild(a) || isWild(b)) return true;
  if (a.kind === 'null') return isNullable(b);
  if (b.kind === 'null') return isNullable(a);
  if (a.kind === 'wrapper' || b.kind === 'wrapper') {
    return sameType(a.kind === 'wrapper' ? first(a) : a, b.kind === 'wrapper' ? first(b) : b);
  }
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.kind !== 'opaque' && a.kind !== 'list' && a.kind !== 'map') return a.name === b.name;
  return a.name === b.name && assignableAll(bindings, a.parameters, b.parameters);
}

function isParameterBound(bindings: Bindings, type: Type, parameter: Type): boolean {
  return sameType(type, parameter) || bindings.get(parameter.name) !== undefined;
}

/** Whether the parameter can stand for the type; binds it if it is free, widens it if it is bound. */
function bind(bindings: Bindings, type: Type, parameter: Type): boolean {
  if (sameType(type, parameter)) return true;
  const bound = bindings.get(parameter.name);
  if (bound === undefined) {
    if (occursIn(bindings, parameter, type)) return false;
    bindings.set(parameter.name, type);
    return true;
  }
  if (sameType(type, bound)) return true;
  if (!assignable(bindings, type, bound)) return false;
  const wider = mostGeneral(type, bound);
  if (!occursIn(bindings, parameter, wider)) bindings.set(parameter.name, wider);
  return true;
}

function occursIn(bindings: Bindings, parameter: Type, type: Type): boolean {
  if (sameType(parameter, type)) return true;
  if (type.kind === 'parameter') {
    const bound = bindings.get(type.name);
    return bound !== undefined && occursIn(bindings, parameter, bound);
  }
  return type.parameters.some((part) => occursIn(bindings, parameter, part));
}

function isLessSpecific(a: Type, b: Type): boolean {
  if (a.kind === 'dyn' || a.kind === 'parameter') return true;
  if (b.kind === 'dyn' || b.kind === 'parameter') return false;
  if (a.kind !== b.kind) return false;
  if (a.kind === 'type') return true;
  if (a.kind !== 'opaque' && a.kind !== 'list' && a.kind !== 'map') return sameType(a, b);
  if (a.name !== b.name || a.parameters.length !== b.parameters.length) return false;
  return a.parameters.every((part, i) => isLessSpecific(part, b.parameters[i] ?? DYN));
}

function isWild(type: Type): boolean {
  return type.kind === 'dyn' || type.kind === 'error';
}

function isNullable(type: Type): boolean {
  const { kind } = type;
  if (kind === 'null' || kind === 'wrapper' || kind === 'opaque' || kind === 'struct') return true;
  return kind === 'duration' || kind === 'timestamp';
}

function first(type: Type): Type {
  return type.parameters[0] ?? DYN;
}

function second(type: Type): Type {
  return type.parameters[1] ?? DYN;
}
