import { type Func, func } from '../func.ts';
import { int, intOf, json, named, stringMap, structType, typedSlice } from '../host-values.ts';
import type { Int, Value } from '../values.ts';

/** Replaces the marks in the data of cases by typed values, as tools/gotemplate/host.go does in Go. */
export function typed(raw: unknown): Value {
  if (Array.isArray(raw)) return raw.map(typed);
  if (typeof raw !== 'object' || raw === null) return json(raw);
  const [[mark, arg] = ['', undefined], ...more] = Object.entries(raw);
  const make = MARKS[mark];
  if (more.length === 0 && make !== undefined) return make(arg);
  return Object.fromEntries(Object.entries(raw).map(([key, value]) => [key, typed(value)]));
}

const MARKS: Readonly<Record<string, (arg: unknown) => Value>> = {
  $int: (arg) => int(arg as number),
  $int64: (arg) => intOf('int64', arg as number),
  $uint32: (arg) => intOf('uint32', arg as number),
  $strings: (arg) => typedSlice('string', arg as string[] | null),
  $stringMap: (arg) => stringMap(arg as Record<string, string> | null),
  $mode: (arg) => mode(arg as number),
  $host: () => host.pointer({ name: 'web' }),
  $func: () => repeatText,
};

const repeatText: Func = func(
  'func(int, string) (string, error)',
  (count: Int, text: string) => `${count.value}${text}`,
);

function mode(value: number): Value {
  return named('main.mode', intOf('int32', value), {
    String: (self) => ['REDIRECT', 'TPROXY'][Number((self as Int).value)] ?? '',
  });
}

const boxed = structType<boolean>({
  name: 'main.boxed',
  fields: { Value: (raw) => raw },
  methods: { GetValue: (raw) => raw ?? false },
});

const item = structType<{ name: string; port: number }>({
  name: 'main.item',
  fields: { Name: (raw) => raw.name, Port: (raw) => intOf('int32', raw.port) },
});

interface Host {
  readonly name: string;
}

const host: { pointer: (raw: Host | null) => Value } = structType<Host>({
  name: 'main.host',
  fields: {
    Name: (raw) => raw.name,
    Count: () => int(3),
    Small: () => intOf('int32', -7),
    Size: () => intOf('uint16', 8080),
    Ratio: () => 2.5,
    Ready: () => true,
    Tags: () => typedSlice('string', ['a', 'b']),
    Labels: () => stringMap({ app: 'shop', tier: '' }),
    Values: () => ({ n: 1, nothing: null, list: [1, 'x', null] }),
    Any: () => null,
    Mode: () => mode(1),
    Word: () => named('main.word', 'hey'),
    Hold: () => boxed.pointer(true),
    None: () => boxed.pointer(null),
    Next: () => host.pointer(null),
    Items: () =>
      typedSlice('main.item', [item.of({ name: 'http', port: 80 }), item.of({ name: 'https', port: 443 })]),
  },
  methods: {
    Greet: {
      signature: 'func(string) string',
      call: (raw: Host | null, greeting: Value) => `${greeting}, ${raw?.name}`,
    },
    Add: {
      signature: 'func(int, ...int) int',
      call: (_: Host | null, ...args: Value[]) =>
        int(args.reduce((sum: bigint, arg: Value) => sum + (arg as Int).value, 0n)),
    },
    Fails: () => {
      throw new Error('host failed');
    },
    Func: () => repeatText,
  },
});
