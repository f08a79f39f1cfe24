import { civilToSeconds } from '../../golang/calendar.ts';
import { durationText, NANOS_PER_SECOND, parseDuration } from '../../golang/duration.ts';
import { formatTime, timeText, weekday, yearDay } from '../../golang/format-time.ts';
import { MAX_INT64, MIN_INT64 } from '../../golang/parse-number.ts';
import { parseTime } from '../../golang/parse-time.ts';
import { civilTime, MONTHS, type Time, UTC, WEEKDAYS, ZERO_TIME } from '../../golang/time.ts';
import { type Func, type FunctionMap, func } from '../func.ts';
import { int, intOf, named, structType } from '../host-values.ts';
import { Int, type Method, type Methods, Struct, type Value } from '../values.ts';

/**
 * Sprig's functions on dates and durations. The local zone is UTC, as in a container without its own setting. There is no
 * clock: `now` and `ago` fail, and so does everything that would use the present time instead of its argument.
 */
export const DATES: FunctionMap = {
  date: func('func(string, interface {}) string', (layout: string, value: Value) =>
    formatTime(instant(value), layout),
  ),
  ...aliases(
    ['dateInZone', 'date_in_zone'],
    func('func(string, interface {}, string) string', (layout: string, value: Value, zone: string) =>
      formatTime(inZone(instant(value), zone), layout),
    ),
  ),
  htmlDate: func('func(interface {}) string', (value: Value) => formatTime(instant(value), DATE)),
  htmlDateInZone: func('func(interface {}, string) string', (value: Value, zone: string) =>
    formatTime(inZone(instant(value), zone), DATE),
  ),
  ...aliases(
    ['dateModify', 'date_modify'],
    func('func(string, time.Time) time.Time', (text: string, time: Struct) => {
      const nanos = parseDuration(text);
      return typeof nanos === 'bigint' ? timeType.of(add(rawTime(time), nanos)) : time;
    }),
  ),
  ...aliases(
    ['mustDateModify', 'must_date_modify'],
    func('func(string, time.Time) (time.Time, error)', (text: string, time: Struct) => {
      const nanos = parseDuration(text);
      if (typeof nanos !== 'bigint') throw new Error(nanos.problem);
      return timeType.of(add(rawTime(time), nanos));
    }),
  ),
  toDate: func('func(string, string) time.Time', (layout: string, text: string) => {
    const time = parseTime(layout, text);
    return timeType.of('problem' in time ? ZERO_TIME : time);
  }),
  mustToDate: func('func(string, string) (time.Time, error)', (layout: string, text: string) => {
    const time = parseTime(layout, text);
    if ('problem' in time) throw new Error(time.problem);
    return timeType.of(time);
  }),
  unixEpoch: func('func(time.Time) string', (time: Struct) => String(rawTime(time).seconds)),
  duration: func('func(interface {}) string', (value: Value) =>
    durationText(BigInt.asIntN(64, secondsOf(value) * NANOS_PER_SECOND)),
  ),
  durationRound: func('func(interface {}) string', (value: Value) => rounded(nanosOf(value))),
};

const DATE = '2006-01-02';

function aliases(names: readonly string[], shared: Func): FunctionMap {
  return Object.fromEntries(names.map((name) => [name, shared]));
}

/** Sprig takes the present time for anything else. */
function instant(value: Value): Time {
  if (isTime(value)) return { ...rawTime(value), zone: UTC };
  if (value instanceof Int && ['int', 'int32', 'int64'].includes(value.kind))
    return { seconds: Number(value.value), nanos: 0, zone: UTC };
  throw new Error('the present time is not available in these templates: expected a time or an integer');
}

function isTime(value: Value): value is Struct {
  return value instanceof Struct && value.type.name === 'time.Time';
}

function rawTime(value: Struct): Time {
  return value.raw as Time;
}

function inZone(time: Time, zone: string): Time {
  if (!['', 'UTC', 'Local'].includes(zone))
    throw new Error(`time zone "${zone}" is not available in these templates: expected "UTC" or "Local"`);
  return time;
}

function add(time: Time, duration: bigint): Time {
  const sum = BigInt(time.nanos) + duration;
  const nanos = ((sum % NANOS_PER_SECOND) + NANOS_PER_SECOND) % NANOS_PER_SECOND;
  return { ...time, seconds: time.seconds + Number((sum - nanos) / NANOS_PER_SECOND), nanos: Number(nanos) };
}

/** Sprig ignores other integers than int64, such as literals. */
function secondsOf(value: Value): bigint {
  if (value instanceof Int) return value.kind === 'int64' ? value.value : 0n;
  if (typeof value !== 'string' || !/^[-+]?\d+$/.test(value)) return 0n;
  const isNegative = value.startsWith('-');
  // Longer numbers do not fit into 64 bits.
  const digits = value.replace(/^[-+]?0*/, '').slice(0, 20) || '0';
  const seconds = isNegative ? -BigInt(digits) : BigInt(digits);
  if (seconds > MAX_INT64) return MAX_INT64;
  return seconds < MIN_INT64 ? MIN_INT64 : seconds;
}

function nanosOf(value: Value): bigint {
  if (isTime(value)) throw new Error('the present time is not available in these templates');
  if (value instanceof Int) return value.kind === 'int64' ? value.value : 0n;
  const nanos = typeof value === 'string' ? parseDuration(value) : 0n;
  return typeof nanos === 'bigint' ? nanos : 0n;
}

const HOUR = 3600n * NANOS_PER_SECOND;
const ROUNDED_UNITS: readonly (readonly [name: string, nanos: bigint])[] = [
  ['y', 24n * 365n * HOUR],
  ['mo', 24n * 30n * HOUR],
  ['d', 24n * HOUR],
  ['h', HOUR],
  ['m', 60n * NANOS_PER_SECOND],
  ['s', NANOS_PER_SECOND],
];

/** In the largest unit of which there is more than one, without a sign. */
function rounded(nanos: bigint): string {
  const size = nanos < 0n ? -nanos : nanos;
  const unit = ROUNDED_UNITS.find(([, length]) => size > length);
  return unit === undefined ? '0s' : `${size / unit[1]}${unit[0]}`;
}

const unixNanos = ({ seconds, nanos }: Time) => BigInt(seconds) * NANOS_PER_SECOND + BigInt(nanos);
const int64 = (value: bigint) => intOf('int64', BigInt.asIntN(64, value));

/** The methods of time.Time that need neither other zones nor other types of Go's. */
const METHODS: Methods<Time> = {
  Year: (time) => int(civilTime(time).year),
  Month: (time) => enumOf('time.Month', civilTime(time).month, MONTHS[civilTime(time).month - 1] as string),
  Day: (time) => int(civilTime(time).day),
  Weekday: (time) => enumOf('time.Weekday', weekday(time), WEEKDAYS[weekday(time)] as string),
  YearDay: (time) => int(yearDay(time)),
  Hour: (time) => int(civilTime(time).hour),
  Minute: (time) => int(civilTime(time).minute),
  Second: (time) => int(civilTime(time).second),
  Nanosecond: ({ nanos }) => int(nanos),
  Unix: ({ seconds }) => intOf('int64', seconds),
  UnixMilli: (time) => int64(unixNanos(time) / 1_000_000n),
  UnixMicro: (time) => int64(unixNanos(time) / 1000n),
  UnixNano: (time) => int64(unixNanos(time)),
  IsZero: ({ seconds, nanos }) => seconds === ZERO_TIME.seconds && nanos === 0,
  UTC: (time) => timeType.of({ ...time, zone: UTC }),
  String: timeText,
  Format: {
    signature: 'func(string) string',
    call: (time: Time, layout: Value) => formatTime(time, layout as string),
  },
  AddDate: {
    signature: 'func(int, int, int) time.Time',
    call: (time: Time, ...amounts: Value[]) => timeType.of(addDate(time, amounts)),
  },
  Before: comparison((order) => order < 0n),
  After: comparison((order) => order > 0n),
  Equal: comparison((order) => order === 0n),
};

const timeType = structType<Time>({
  name: 'time.Time',
  fields: {},
  // No function returns a pointer.
  methods: METHODS as Methods<Time | null>,
  json: (time) => formatTime(time, '2006-01-02T15:04:05.999999999Z07:00'),
});

function enumOf(type: string, value: number, text: string): Value {
  return named(type, int(value), { String: () => text });
}

function comparison(answer: (order: bigint) => boolean): Method<Time> {
  return {
    signature: 'func(time.Time) bool',
    call: (time, other) => answer(unixNanos(time) - unixNanos(rawTime(other as Struct))),
  };
}

/** Days beyond the end of a month fall into the next one. */
function addDate(time: Time, amounts: readonly Value[]): Time {
  const [years = 0, months = 0, days = 0] = amounts.map((amount) => Number((amount as Int).value));
  const civil = civilTime(time);
  const month = civil.month - 1 + months;
  const year = civil.year + years + Math.floor(month / 12);
  const seconds = civilToSeconds({
    ...civil,
    year,
    month: (((month % 12) + 12) % 12) + 1,
    day: civil.day + days,
  });
  return { ...time, seconds: seconds - time.zone.offset };
}
