import type { Json } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { type Pointer, segmentText } from '../json/pointer.ts';
import { withoutDirectives } from './without-directives.ts';

/** A place where the object already had a different value, which stays. */
export interface Kept {
  readonly path: Pointer;
  readonly found: Json;
  /** Without directives. */
  readonly wanted: Json;
  /** The field that was wanted in place of the one at `path`, where an object may have only one of them. */
  readonly wantedField?: string;
  /** It is the API server's default, not the author's value. Known only for objects of files. */
  readonly isDefault?: true;
}

/** Records RFC 6902 operations during a walk over an object, and where the walk is. */
export class PatchWriter {
  readonly operations: Operation[] = [];
  readonly kept: Kept[] = [];
  readonly #segments: (string | number)[] = [];
  /** Of the current place and its parents, by depth, once they are needed: operations nearby share them. */
  readonly #paths: Pointer[] = [''];

  enter(segment: string | number): void {
    this.#segments.push(segment);
  }

  leave(): void {
    this.#segments.pop();
    if (this.#paths.length > this.#segments.length + 1) this.#paths.pop();
  }

  get path(): Pointer {
    for (let depth = this.#paths.length; depth <= this.#segments.length; depth++) {
      this.#paths.push(`${this.#paths[depth - 1]}/${segmentText(this.#segments[depth - 1] ?? '')}`);
    }
    return this.#paths[this.#segments.length] ?? '';
  }

  /** Sets the current place. `found` is its value so far: undefined if its parent does not have that member. */
  set(found: Json | undefined, value: Json): void {
    this.operations.push({ op: found === undefined ? 'add' : 'replace', path: this.path, value });
  }

  remove(): void {
    this.operations.push({ op: 'remove', path: this.path });
  }

  /** Inserts into the list at the current place. */
  insertItem(index: number, length: number, value: Json): void {
    this.operations.push({ op: 'add', path: `${this.path}/${index < length ? index : '-'}`, value });
  }

  removeItem(index: number): void {
    this.operations.push({ op: 'remove', path: `${this.path}/${index}` });
  }

  /** `to` is the index in the list without the item, as in RFC 6902. */
  moveItem(from: number, to: number): void {
    const { path } = this;
    this.operations.push({ op: 'move', from: `${path}/${from}`, path: `${path}/${to}` });
  }

  keep(found: Json, wanted: Json): void {
    this.kept.push({ path: this.path, found, wanted: withoutDirectives(wanted) ?? null });
  }

  /** Keeps a rival of the field at the current place. */
  keepRival(rival: string, found: Json, wantedField: string, wanted: Json): void {
    this.leave();
    this.enter(rival);
    const { path } = this;
    this.leave();
    this.enter(wantedField);
    this.kept.push({ path, found, wanted: withoutDirectives(wanted) ?? null, wantedField });
  }

  /** Runs `build` and drops what it records: for a value that is recorded as one operation afterwards. */
  unrecorded<T>(build: () => T): T {
    const [operations, kept] = [this.operations.length, this.kept.length];
    const value = build();
    // Usually there is nothing to drop, and V8 sets a length slowly.
    if (this.operations.length > operations) this.operations.length = operations;
    if (this.kept.length > kept) this.kept.length = kept;
    return value;
  }
}
