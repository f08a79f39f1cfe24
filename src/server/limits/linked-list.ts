/**
 * A list whose entries can be removed at any time, for what is added and removed with every request. A Set would do the same, but it
 * replaces its table every few deletions, and each old table refers to the next. Once one of them is in the old generation, the garbage
 * collector keeps all that follow: under load, that alone caused a full collection every two seconds.
 */
export class LinkedList<T> {
  /** Before the first entry and after the last. Its value is never read. */
  readonly #end = new ListEntry<T>(undefined as T);

  /** Adds the entry at the end, after removing it from the list that it is in. */
  append(entry: ListEntry<T>): void {
    entry.remove();
    entry.previous = this.#end.previous;
    entry.next = this.#end;
    entry.previous.next = entry;
    this.#end.previous = entry;
  }

  get first(): ListEntry<T> | undefined {
    return this.#orUndefined(this.#end.next);
  }

  get last(): ListEntry<T> | undefined {
    return this.#orUndefined(this.#end.previous);
  }

  after(entry: ListEntry<T>): ListEntry<T> | undefined {
    return this.#orUndefined(entry.next);
  }

  #orUndefined(entry: ListEntry<T>): ListEntry<T> | undefined {
    return entry === this.#end ? undefined : entry;
  }
}

/** In at most one list at a time. */
export class ListEntry<T> {
  readonly value: T;
  previous: ListEntry<T> = this;
  next: ListEntry<T> = this;

  constructor(value: T) {
    this.value = value;
  }

  /** Does nothing to an entry that is in no list. */
  remove(): void {
    this.previous.next = this.next;
    this.next.previous = this.previous;
    this.previous = this;
    this.next = this;
  }
}
