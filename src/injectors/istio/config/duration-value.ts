import { intOf, named, Struct, structType, type Value } from '../../../gotemplate/index.ts';
import { NANOSECONDS, nanosecondsOf } from './go-duration.ts';

/** A pointer to protobuf's Duration, from a text such as `45s`; `null` is the nil pointer. */
export function durationValue(text: string | null): Struct {
  return duration.pointer(text === null ? null : { nanoseconds: nanosecondsOf(text) ?? 0n });
}

interface Raw {
  readonly nanoseconds: bigint;
}

const duration = structType<Raw>({
  name: 'durationpb.Duration',
  fields: {
    Seconds: ({ nanoseconds }) => intOf('int64', nanoseconds / NANOSECONDS),
    Nanos: ({ nanoseconds }) => intOf('int32', nanoseconds % NANOSECONDS),
  },
  methods: {
    GetSeconds: (raw) => intOf('int64', (raw?.nanoseconds ?? 0n) / NANOSECONDS),
    GetNanos: (raw) => intOf('int32', (raw?.nanoseconds ?? 0n) % NANOSECONDS),
    AsDuration: (raw) => timeDuration(raw?.nanoseconds ?? 0n),
    IsValid: (raw) => raw !== null,
  },
});

/** Go's time.Duration, which prints as `1m30s`. */
function timeDuration(nanoseconds: bigint): Value {
  const per = (unit: bigint) => () => Number(nanoseconds) / Number(unit);
  return named('time.Duration', intOf('int64', nanoseconds), {
    String: () => durationText(nanoseconds),
    Hours: per(3600n * NANOSECONDS),
    Minutes: per(60n * NANOSECONDS),
    Seconds: per(NANOSECONDS),
    Milliseconds: () => intOf('int64', nanoseconds / 1_000_000n),
    Microseconds: () => intOf('int64', nanoseconds / 1_000n),
    Nanoseconds: () => intOf('int64', nanoseconds),
  });
}

/** A pointer to a Duration as Go prints it. */
export function formatDuration(value: Value): string {
  const raw = value instanceof Struct ? (value.raw as Raw | null) : null;
  return durationText(raw?.nanoseconds ?? 0n);
}

/** `1h2m3s`, or `1.5ms` below a second. */
function durationText(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return '0s';
  const sign = nanoseconds < 0n ? '-' : '';
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds;
  if (size < 1_000n) return `${sign}${size}ns`;
  if (size < 1_000_000n) return `${sign}${decimal(size, 1_000n)}µs`;
  if (size < NANOSECONDS) return `${sign}${decimal(size, 1_000_000n)}ms`;
  const minutes = size / (60n * NANOSECONDS);
  const seconds = `${decimal(size % (60n * NANOSECONDS), NANOSECONDS)}s`;
  if (minutes === 0n) return sign + seconds;
  return `${sign}${minutes < 60n ? '' : `${minutes / 60n}h`}${minutes % 60n}m${seconds}`;
}

function decimal(size: bigint, unit: bigint): string {
  const places = String(unit).length - 1;
  const rest = String(size % unit)
    .padStart(places, '0')
    .replace(/0+$/, '');
  return `${size / unit}${rest === '' ? '' : '.'}${rest}`;
}
