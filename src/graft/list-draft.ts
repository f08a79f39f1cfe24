import type { Json } from '../json/json.ts';
import { longestInOrder } from './longest-in-order.ts';
import type { PatchWriter } from './patch-writer.ts';

/** The API server takes a step per item for each insertion, removal and move. Beyond this, far above any real Pod, it gets the whole list. */
export const MOST_STEPS = 1_000_000;

/** A list under change: copied at the first change, which the writer records. The original is never written to. */
export class ListDraft {
  readonly #found: readonly Json[];
  #items: readonly Json[];
  #copy: Json[] | undefined;
  readonly #writer: PatchWriter;
  /** The number of operations that precede those of the list. */
  readonly #start: number;
  /** The steps that all operations take. */
  #steps = 0;

  constructor(items: readonly Json[], writer: PatchWriter) {
    this.#found = items;
    this.#items = items;
    this.#writer = writer;
    this.#start = writer.operations.length;
  }

  /** The list as it is now: the original itself if nothing has changed. */
  get items(): readonly Json[] {
    return this.#items;
  }

  insert(index: number, value: Json): void {
    const { length } = this.#items;
    this.#writer.insertItem(index, length, value);
    if (index === length) {
      this.#writable().push(value);
      return;
    }
    this.#steps += length;
    this.#writable().splice(index, 0, value);
  }

  remove(isRemoved: (item: Json, index: number) => boolean): void {
    const removed = new Set<number>();
    for (const [index, item] of this.#items.entries()) if (isRemoved(item, index)) removed.add(index);
    if (removed.size === 0) return;
    this.#steps += removed.size * this.#items.length;
    // From the end, so that the indices of the other operations stay valid.
    for (const index of [...removed].reverse()) this.#writer.removeItem(index);
    this.#copy = this.#items.filter((_, index) => !removed.has(index));
    this.#items = this.#copy;
  }

  /** `to` is the index in the list without the item. */
  move(from: number, to: number): void {
    if (from === to) return;
    this.#steps += this.#items.length;
    this.#writer.moveItem(from, to);
    const items = this.#writable();
    items.splice(to, 0, ...items.splice(from, 1));
  }

  /** Moves as few items as possible. `order` has the present index of each item. */
  reorder(order: readonly number[]): void {
    if (order.every((from, to) => from === to)) return;
    const places: number[] = [];
    for (const [to, from] of order.entries()) places[from] = to;
    const staying = longestInOrder(places);
    const { length } = order;
    if (this.#steps + (length - staying.size) * length > MOST_STEPS) {
      this.#steps = Number.POSITIVE_INFINITY;
      this.#copy = order.map((from) => this.#items[from] as Json);
      this.#items = this.#copy;
      return;
    }
    const present = [...order.keys()];
    for (const [to, item] of order.entries()) {
      if (staying.has(to)) continue;
      const place = to === 0 ? 0 : present.indexOf(order[to - 1] as number) + 1;
      const from = present.indexOf(item);
      const target = from < place ? place - 1 : place;
      this.move(from, target);
      present.splice(target, 0, ...present.splice(from, 1));
    }
  }

  /** Replaces an item by its merged version, whose operations are already recorded. */
  replace(index: number, item: Json): void {
    if (item !== this.#items[index]) this.#writable()[index] = item;
  }

  /** The list after all changes. */
  finish(): readonly Json[] {
    if (this.#steps > MOST_STEPS) {
      this.#writer.operations.length = this.#start;
      this.#writer.set(this.#found, this.#items as Json);
    }
    return this.#items;
  }

  #writable(): Json[] {
    this.#copy ??= this.#items.slice();
    this.#items = this.#copy;
    return this.#copy;
  }
}
