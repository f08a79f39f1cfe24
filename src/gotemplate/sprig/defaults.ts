import { deepEqual } from '../deep-equal.ts';
import { type FunctionMap, func, metered } from '../func.ts';
import { parseJson } from '../parse-json.ts';
import { toJson } from '../to-json.ts';
import { kindOf, typeOf } from '../types.ts';
import type { Value } from '../values.ts';
import { isEmpty } from './cast.ts';
import { withMust } from './with-must.ts';

/** Sprig's functions on defaults, JSON and types. */
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
  ...withMust('toJson', 'func(interface {})', 'string', (meter, value: Value) => toJson(value, meter)),
  ...withMust('toPrettyJson', 'func(interface {})', 'string', (meter, value: Value) =>
    toJson(value, meter, { indent: '  ' }),
  ),
  ...withMust('toRawJson', 'func(interface {})', 'string', (meter, value: Value) =>
    toJson(value, meter, { escapeHtml: false }),
  ),
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
