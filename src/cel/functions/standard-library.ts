import { NO_WORK } from '../call-work.ts';
import { A, B, type FunctionDeclaration, method, type Overload, overload } from '../declarations.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  optionalOf,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
} from '../types.ts';
import { add, divide, modulo, multiply, negate, subtract, unsupported } from '../values/arithmetic.ts';
import { compare } from '../values/compare.ts';
import { contains } from '../values/contains.ts';
import { sizeOf } from '../values/size.ts';
import type { Library } from './merge-libraries.ts';

/** The operators, and `size`. They spend their work themselves. Those without implementation are compiled specially. */
export const standardLibrary: Library = [
  { name: '_?_:_', overloads: [overload('conditional', [BOOL, A, A], A)] },
  { name: '!_', overloads: [overload('logical_not', [BOOL], BOOL)] },
  { name: '_==_', overloads: [overload('equals', [A, A], BOOL)] },
  { name: '_!=_', overloads: [overload('not_equals', [A, A], BOOL)] },
  {
    name: '_+_',
    call: add,
    work: NO_WORK,
    overloads: [
      arithmetic('add_bytes', BYTES),
      arithmetic('add_double', DOUBLE),
      arithmetic('add_duration_duration', DURATION),
      overload('add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP),
      overload('add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
      arithmetic('add_int64', INT),
      arithmetic('add_list', listOf(A)),
      arithmetic('add_string', STRING),
      arithmetic('add_uint64', UINT),
    ],
  },
  {
    name: '_-_',
    call: subtract,
    work: NO_WORK,
    overloads: [
      arithmetic('subtract_double', DOUBLE),
      arithmetic('subtract_duration_duration', DURATION),
      arithmetic('subtract_int64', INT),
      overload('subtract_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP),
      overload('subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION),
      arithmetic('subtract_uint64', UINT),
    ],
  },
  { name: '_*_', call: multiply, work: NO_WORK, overloads: numeric('multiply') },
  { name: '_/_', call: divide, work: NO_WORK, overloads: numeric('divide') },
  {
    name: '_%_',
    call: modulo,
    work: NO_WORK,
    overloads: [arithmetic('modulo_int64', INT), arithmetic('modulo_uint64', UINT)],
  },
  {
    name: '-_',
    call: negate,
    work: NO_WORK,
    overloads: [overload('negate_double', [DOUBLE], DOUBLE), overload('negate_int64', [INT], INT)],
  },
  relation('_<_', 'less', (order) => order < 0),
  relation('_<=_', 'less_equals', (order) => order <= 0),
  relation('_>_', 'greater', (order) => order > 0),
  relation('_>=_', 'greater_equals', (order) => order >= 0),
  {
    name: '_[_]',
    overloads: [
      overload('index_list', [listOf(A), INT], A),
      overload('index_map', [mapOf(A, B), A], B),
      overload('optional_list_index_int', [optionalOf(listOf(A)), INT], optionalOf(A)),
      overload('optional_map_index_value', [optionalOf(mapOf(A, B)), A], optionalOf(B)),
    ],
  },
  {
    name: '_[?_]',
    overloads: [
      overload('list_optindex_optional_int', [listOf(A), INT], optionalOf(A)),
      overload('optional_list_optindex_optional_int', [optionalOf(listOf(A)), INT], optionalOf(A)),
      overload('map_optindex_optional_value', [mapOf(A, B), A], optionalOf(B)),
      overload('optional_map_optindex_optional_value', [optionalOf(mapOf(A, B)), A], optionalOf(B)),
    ],
  },
  {
    name: '@in',
    call: (element, container) => contains(container, element),
    work: NO_WORK,
    overloads: [overload('in_list', [A, listOf(A)], BOOL), overload('in_map', [A, mapOf(A, B)], BOOL)],
  },
  {
    name: 'size',
    call: (value) => sizeOf(value) ?? unsupported('size', value),
    work: NO_WORK,
    overloads: [BYTES, listOf(A), mapOf(A, B), STRING].flatMap((type) => [
      overload(`size_${type.name}`, [type], INT),
      method(`${type.name}_size`, [type], INT),
    ]),
  },
  {
    name: 'cel.@mapInsert',
    overloads: [
      overload('@mapInsert_map_key_value', [mapOf(A, B), A, B], mapOf(A, B)),
      overload('@mapInsert_map_map', [mapOf(A, B), mapOf(A, B)], mapOf(A, B)),
    ],
  },
];

function arithmetic(id: string, type: Type): Overload {
  return overload(id, [type, type], type);
}

function numeric(prefix: string): Overload[] {
  return [
    arithmetic(`${prefix}_double`, DOUBLE),
    arithmetic(`${prefix}_int64`, INT),
    arithmetic(`${prefix}_uint64`, UINT),
  ];
}

function relation(name: string, prefix: string, decide: (order: number) => boolean): FunctionDeclaration {
  const pairs: readonly (readonly [Type, Type])[] = [
    [BOOL, BOOL],
    [INT, INT],
    [INT, DOUBLE],
    [INT, UINT],
    [UINT, UINT],
    [UINT, DOUBLE],
    [UINT, INT],
    [DOUBLE, DOUBLE],
    [DOUBLE, INT],
    [DOUBLE, UINT],
    [STRING, STRING],
    [BYTES, BYTES],
    [TIMESTAMP, TIMESTAMP],
    [DURATION, DURATION],
  ];
  return {
    name,
    work: NO_WORK,
    call: (a, b) => {
      const order = compare(a, b, name);
      return typeof order === 'number' ? decide(order) : order;
    },
    overloads: pairs.map(([a, b]) =>
      overload(`${prefix}_${a.name}_${b.name}`, [a, b], BOOL, undefined, textCost(a)),
    ),
  };
}

/** Texts are compared up to the end of the shorter one. */
function textCost(type: Type): Overload['cost'] {
  if (type !== STRING && type !== BYTES) return undefined;
  return ([a, b]) => Math.ceil(Math.min(sizeOf(a) ?? 1, sizeOf(b) ?? 1) / 10);
}
