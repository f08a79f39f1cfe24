import { compareTimestamps, type Timestamp as Instant } from '../library/timestamp.ts';
import { Special } from './values.ts';

export class Timestamp extends Special {
  readonly typeName = 'google.protobuf.Timestamp';
  readonly time: Instant;

  constructor(time: Instant) {
    super();
    this.time = time;
  }

  override equals(other: unknown): boolean {
    return other instanceof Timestamp && compareTimestamps(this.time, other.time) === 0;
  }
}

export class Duration extends Special {
  readonly typeName = 'google.protobuf.Duration';
  readonly nanos: bigint;

  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }

  override equals(other: unknown): boolean {
    return other instanceof Duration && other.nanos === this.nanos;
  }
}
