import type { Json, JsonObject } from '../json/json.ts';
import { type Pointer, pointer } from '../json/pointer.ts';

/** A value for which the API server would reject the object. */
export interface PodProblem {
  readonly path: Pointer;
  /** Names the container, if it is in one. */
  readonly message: string;
}

/** More would not be read, and each is compared with those before injection. */
const MOST_PROBLEMS = 500;

/** Collects problems during a walk over an object. Paths are functions, since nearly all values are valid. */
export class ProblemList {
  readonly found: PodProblem[] = [];

  /** Whether to stop: further problems are dropped. */
  get isFull(): boolean {
    return this.found.length >= MOST_PROBLEMS;
  }

  add(path: Pointer, message: string): void {
    if (!this.isFull) this.found.push({ path, message });
  }

  addAt(segments: readonly string[], message: string): void {
    this.add(pointer(segments), message);
  }

  /** A required DNS label, as names of containers and volumes are. */
  label({ name }: JsonObject, path: () => Pointer, what: string): void {
    if (typeof name === 'string' && name.length <= 63 && LABEL.test(name)) return;
    const expected = 'expected at most 63 lower-case letters, digits and "-"';
    this.add(`${path()}/name`, `${expected} as the name of a ${what}, found ${quoted(name)}`);
  }

  /** An optional field with a few known values; empty means the default. */
  oneOf(
    object: JsonObject,
    field: string,
    path: () => Pointer,
    allowed: readonly string[],
    where = () => '',
  ): void {
    const value = object[field];
    if (value === undefined || value === null || value === '') return;
    if (typeof value === 'string' && allowed.includes(value)) return;
    this.add(`${path()}/${field}`, `${where()}expected ${allowed.join(', ')}, found ${quoted(value)}`);
  }
}

const LABEL = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;

/** A value for a message, shortened if long. */
export function quoted(value: Json | undefined): string {
  if (value === undefined || value === null) return 'nothing';
  // A name may have megabytes, and be in hundreds of messages.
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
