import { compile } from '../../src/cel/compile.ts';
import type { Environment, FunctionDeclaration, Overload } from '../../src/cel/declarations.ts';
import { kubernetesEnvironment } from '../../src/cel/kubernetes-environment.ts';
import type { Bindings } from '../../src/cel/plan/frame.ts';
import { DYN, type Type } from '../../src/cel/types.ts';
import { Optional } from '../../src/cel/values/optional.ts';

/** A call of a function with huge arguments, which are variables of their types or of unknown types. */
export interface Call {
  readonly title: string;
  readonly overload: string;
  readonly expression: string;
  readonly environment: Environment;
  readonly bindings: Bindings;
  /** The characters, bytes and elements that the call may have to read. */
  readonly length: number;
}

/** Calls of all overloads, with all kinds of texts if there may be texts in the arguments. */
export function callsOf(declaration: FunctionDeclaration): Call[] {
  return declaration.overloads.flatMap((overload) =>
    textsFor(overload).flatMap(([kind, text]) => {
      const argumentsOf = overload.parameters.map((type) => hugeValue(type, text));
      const title = `${overload.id} with ${kind}`;
      const typed = callWith(
        title,
        overload,
        declaration.name,
        argumentsOf,
        overload.parameters.map(concrete),
      );
      // Unknown types lose the cost of reading the arguments.
      const untyped = callWith(
        `${title}, dyn`,
        overload,
        declaration.name,
        argumentsOf,
        overload.parameters.map((type) => (type.kind === 'opaque' || type.kind === 'struct' ? type : DYN)),
      );
      return [typed, untyped];
    }),
  );
}

/** Whether a function can be written as a call or an operator, and has no authorizer, which only a cluster has. */
export function canBeCalled({ name, overloads }: FunctionDeclaration): boolean {
  const isAuthorizers = overloads.some(({ parameters: [first] }) =>
    first?.name.startsWith('kubernetes.authorization.'),
  );
  return !isAuthorizers && (name === '@in' || !name.includes('@'));
}

const LENGTH = 60_000;

const TEXTS: Readonly<Record<string, string>> = {
  letters: 'aB'.repeat(LENGTH / 2),
  digits: '7'.repeat(LENGTH),
  emoji: '😀'.repeat(LENGTH / 2),
  quotes: '"\\'.repeat(LENGTH / 2),
  query: `/?${'a&'.repeat(LENGTH / 2)}`,
  escapes: `/${'%41'.repeat(LENGTH / 3)}?${'a=1&'.repeat(5000)}`,
  versions: `1.2.3-${'1a.'.repeat(LENGTH / 3)}x`,
};

function textsFor({ parameters }: Overload): (readonly [string, string])[] {
  const texts = Object.entries(TEXTS);
  return parameters.some(mayHaveText) ? texts : texts.slice(0, 1);
}

function mayHaveText({ kind, name, parameters }: Type): boolean {
  if (kind === 'list' || name === 'optional_type') return parameters.some(mayHaveText);
  return (
    kind === 'string' ||
    kind === 'bytes' ||
    kind === 'dyn' ||
    kind === 'parameter' ||
    name === 'kubernetes.URL' ||
    name === 'kubernetes.Semver'
  );
}

function callWith(
  title: string,
  { id, style }: Overload,
  name: string,
  values: readonly unknown[],
  types: readonly Type[],
): Call {
  const names = values.map((_, i) => `p${i}`);
  return {
    title,
    overload: id,
    expression: written(name, style, names),
    environment: kubernetesEnvironment({
      mutation: true,
      types: Object.fromEntries(names.map((parameter, i) => [parameter, types[i] ?? DYN])),
    }),
    bindings: Object.fromEntries(names.map((parameter, i) => [parameter, values[i]])),
    length: values.reduce<number>((sum, value) => sum + lengthOf(value), 0),
  };
}

/** Operators are named `_+_`. */
function written(name: string, style: Overload['style'], names: readonly string[]): string {
  if (name === '@in') return names.join(' in ');
  if (/[^\w.]/.test(name)) {
    let i = 0;
    return `(${name.replace(/_/g, () => ` ${names[i++]} `)})`;
  }
  const [receiver, ...others] = names;
  return style === 'method' ? `${receiver}.${name}(${others.join(', ')})` : `${name}(${names.join(', ')})`;
}

/** Type parameters are texts, which most functions accept. */
function concrete(type: Type): Type {
  if (type.kind === 'parameter') return DYN;
  return { ...type, parameters: type.parameters.map(concrete) };
}

function hugeValue(type: Type, text: string): unknown {
  const [first = DYN] = type.parameters;
  switch (type.kind) {
    case 'string':
    case 'dyn':
    case 'parameter':
      return text;
    case 'bytes':
      return new TextEncoder().encode(text);
    case 'list': {
      const item = first.kind === 'list' ? [1, 2] : hugeValue(first, text);
      // The same long text everywhere, as in a list that an expression made.
      return Array.from({ length: LENGTH / 10 }, () => item);
    }
    case 'map':
      return Object.fromEntries(Array.from({ length: LENGTH / 10 }, (_, i) => [`k${i}`, i]));
    default:
      return type.name === 'optional_type' ? new Optional(hugeValue(first, text)) : made(type.name, text);
  }
}

/** Values of other types, of which some are as long as the texts that they are made of. */
function made(type: string, text: string): unknown {
  const environment = kubernetesEnvironment({ mutation: true });
  for (const expression of MAKERS[type] ?? []) {
    try {
      return compile(expression, environment).evaluate({ object: text });
    } catch {
      // This text makes none.
    }
  }
  throw new Error(`no value of type ${type}`);
}

const MAKERS: Readonly<Record<string, readonly string[]>> = {
  bool: ['true'],
  int: ['1'],
  uint: ['1u'],
  double: ['1e-300'],
  type: ['int'],
  null_type: ['null'],
  'google.protobuf.Duration': ["duration('1h')"],
  'google.protobuf.Timestamp': ["timestamp('2026-01-01T00:00:00Z')"],
  'net.IP': ["ip('10.0.0.1')"],
  'net.CIDR': ["cidr('10.0.0.0/8')"],
  'kubernetes.URL': ['url(object)', "url('/')"],
  'kubernetes.Quantity': ["quantity('9'.replace('', '9999999999').replace('', '9'))", "quantity('1')"],
  'kubernetes.Semver': ['semver(object)', "semver('1.2.3')"],
  'kubernetes.NamedFormat': ['format.uri()'],
};

function lengthOf(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array || Array.isArray(value)) return value.length;
  return 0;
}
