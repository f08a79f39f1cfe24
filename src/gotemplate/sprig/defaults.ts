import { deepEqual } from '../deep-equal.ts';
import { type Func, type FunctionMap, func, metered } from '../func.ts';
import type { Meter } from '../meter.ts';
import { parseJson } from '../parse-json.ts';
import { toJson } from '../to-json.ts';
import { kindOf, typeOf } from '../types.ts';
import type { Value } from '../values.ts';
import { isEmpty } from './empty.ts';

/** Sprig's defaults, JSON and reflection. */
export const DEFAULTS: FunctionMap = {
  default: func('func(interface {}, ...interface {}) interface {}', (fallback: Value, ...given: Value[]) =>
    given.length === 0 || isEmpty(given[0]) ? fallback : given[0],
  ),
  empty: func('func(interface {}) bool', isEmpty),
  coalesce: func(
    'func(...interface {}) interface {}',
    (...args: Value[]) => args.find((arg) => !isEmpty(arg)) ?? null,
  ),
  all: func('func(...interface {}) bool', (...args: Value[]) => !args.some(isEmpty)),
  any: func('func(...interface {}) bool', (...args: Value[]) => args.some((arg) => !isEmpty(arg))),
  ternary: func(
    'func(interface {}, interface {}, bool) interface {}',
    (yes: Value, no: Value, choice: boolean) => (choice ? yes : no),
  ),
  fail: func('func(string) (string, error)', (message: string) => {
    throw new Error(message);
  }),
  hello: func('func() string', () => 'Hello!'),
  fromJson: metered('func(string) interface {}', (meter, text: string) => parseJson(text, meter) ?? null),
  mustFromJson: metered('func(string) (interface {}, error)', (meter, text: string) => {
    const value = parseJson(text, meter);
    if (value === undefined) throw new Error('invalid JSON');
    return value;
  }),
  ...writer('toJson', (value, meter) => toJson(value, meter)),
  ...writer('toPrettyJson', (value, meter) => toJson(value, meter, { indent: '  ' })),
  ...writer('toRawJson', (value, meter) => toJson(value, meter, { escapeHtml: false })),
  typeOf: func('func(interface {}) string', typeOf),
  typeIs: func('func(string, interface {}) bool', (wanted: string, value: Value) => typeOf(value) === wanted),
  typeIsLike: func('func(string, interface {}) bool', (wanted: string, value: Value) =>
    [wanted, `*${wanted}`].includes(typeOf(value)),
  ),
  kindOf: func('func(interface {}) string', kindOf),
  kindIs: func('func(string, interface {}) bool', (wanted: string, value: Value) => kindOf(value) === wanted),
  deepEqual: metered('func(interface {}, interface {}) bool', (meter, a: Value, b: Value) =>
    deepEqual(a, b, meter),
  ),
};

function writer(name: string, write: (value: Value, meter: Meter) => string): Record<string, Func> {
  const must = `must${name[0]?.toUpperCase()}${name.slice(1)}`;
  return {
    [name]: metered('func(interface {}) string', (meter, value: Value) => write(value, meter)),
    [must]: metered('func(interface {}) (string, error)', (meter, value: Value) => write(value, meter)),
  };
}
