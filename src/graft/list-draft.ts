import type { Json } from '../json/json.ts';
import type { PatchWriter } from './patch-writer.ts';

/** A list under change: copied at the first change, which the writer records. The original is never written to. */
export class ListDraft {
  #items: readonly Json[];
  #copy: Json[] | undefined;
  readonly #writer: PatchWriter;

  constructor(items: readonly Json[], writer: PatchWriter) {
    this.#items = items;
    this.#writer = writer;
  }

  /** The list as it is now: the original itself if nothing has changed. */
  get items(): readonly Json[] {
    return this.#items;
  }

  insert(index: number, value: Json): void {
    const { length } = this.#items;
    this.#writer.insertItem(index, length, value);
    if (index === length) this.#writable().push(value);
    else this.#writable().splice(index, 0, value);
  }

  remove(isDoomed: (item: Json, index: number) => boolean): void {
    const doomed = new Set<number>();
    for (const [index, item] of this.#items.entries()) if (isDoomed(item, index)) doomed.add(index);
    if (doomed.size === 0) return;
    // From the end, so that the indices of the other operations stay valid.
    for (const index of [...doomed].reverse()) this.#writer.removeItem(index);
    this.#copy = this.#items.filter((_, index) => !doomed.has(index));
    this.#items = this.#copy;
  }

  /** `to` is the index in the list without the item. */
  move(from: number, to: number): void {
    if (from === to) return;
    this.#writer.moveItem(from, to);
    const items = this.#writable();
    items.splice(to, 0, ...items.splice(from, 1));
  }

  /** Replaces an item by its merged version, whose operations are already recorded. */
  replace(index: number, item: Json): void {
    if (item !== this.#items[index]) this.#writable()[index] = item;
  }

  #writable(): Json[] {
    this.#copy ??= this.#items.slice();
    this.#items = this.#copy;
    return this.#copy;
  }
}
