import type { Request } from '../../sdk/request.ts';

/** What the event loop is working on, in memory that the watchdog's thread reads while the loop is blocked. */
export interface Progress {
  readonly shared: SharedArrayBuffer;
  /** The event loop is not blocked: a timer has run, or a review begins. */
  beat(): void;
  /** An injector is called. */
  stage(injector: string, request: Request): void;
  /** No review is under way. */
  idle(): void;
  /** The reader must know the same list. Names are only ever added at its end. */
  setInjectors(names: readonly string[]): void;
}

/** Where the reader finds the work under way. */
export interface Work {
  readonly beats: number;
  /** Absent outside of a review. */
  readonly uid?: string;
  readonly injector?: string;
}

// The first numbers of the shared memory; the uid follows them.
const BEATS = 0;
const STAGE = 1;
const UID_LENGTH = 2;
const NUMBERS = 3;
/** UIDs of the API server have 36 characters. */
const UID_BYTES = 64;

/** Writing costs no allocation: a number per injector, and the uid once per review. */
export function createProgress(injectors: readonly string[]): Progress {
  const shared = new SharedArrayBuffer(NUMBERS * Int32Array.BYTES_PER_ELEMENT + UID_BYTES);
  const { numbers, uid } = partsOf(shared);
  let indexes = indexesOf(injectors);
  let current: Request | undefined;
  return {
    shared,
    beat: () => void Atomics.add(numbers, BEATS, 1),
    stage(injector, request) {
      if (request !== current) {
        current = request;
        Atomics.store(numbers, UID_LENGTH, uid.write(request.uid, 'latin1'));
      }
      Atomics.store(numbers, STAGE, indexes.get(injector) ?? 0);
    },
    idle() {
      current = undefined;
      Atomics.store(numbers, STAGE, 0);
      Atomics.store(numbers, UID_LENGTH, 0);
    },
    setInjectors(names) {
      indexes = indexesOf(names);
    },
  };
}

function indexesOf(injectors: readonly string[]): ReadonlyMap<string, number> {
  return new Map(injectors.map((name, index) => [name, index + 1]));
}

/** For the other thread, which has the same list of injectors. */
export function readProgress(shared: SharedArrayBuffer, injectors: readonly string[]): Work {
  const { numbers, uid } = partsOf(shared);
  const length = Atomics.load(numbers, UID_LENGTH);
  const injector = injectors[Atomics.load(numbers, STAGE) - 1];
  return {
    beats: Atomics.load(numbers, BEATS),
    ...(length > 0 && { uid: uid.toString('latin1', 0, length) }),
    ...(injector !== undefined && { injector }),
  };
}

function partsOf(shared: SharedArrayBuffer) {
  return {
    numbers: new Int32Array(shared, 0, NUMBERS),
    uid: Buffer.from(shared, NUMBERS * Int32Array.BYTES_PER_ELEMENT, UID_BYTES),
  };
}
