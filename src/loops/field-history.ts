/** One look at a field: its value after somebody wrote the object. */
export interface Sighting {
  /** Of the object; writes without effect do not increase it. */
  readonly version: number;
  readonly time: number;
  /** The order in which events were read; breaks ties. */
  readonly order: number;
  readonly value: string;
  readonly writer: Writer;
}

export interface Writer {
  readonly kind: 'user' | 'webhook';
  readonly name: string;
  /** The program of a user, or the configuration of a webhook. */
  readonly detail: string;
}

/** How often a writer set a value. */
export interface Share {
  readonly writer: Writer;
  readonly value: string;
  readonly count: number;
}

export interface Flips {
  /** How often the field got a value that it had had before. */
  readonly returns: number;
  readonly shares: readonly Share[];
  readonly first: number;
  readonly last: number;
  /** When it changed: the latest times. */
  readonly times: readonly number[];
}

const KEPT = 512;
const MOST_VALUES = 8;

/** What is known of one field of one object, in bounded memory. */
export class FieldHistory {
  /** A counter or a time: its values do not come back. */
  isNoise = false;
  readonly #values = new Set<string>();
  readonly #shares = new Map<string, { writer: Writer; value: string; count: number }>();
  /** Values of sightings that are counted already. */
  readonly #seen = new Set<string>();
  #sightings: Sighting[] = [];
  #returns = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;
  #times: number[] = [];

  add(sighting: Sighting): void {
    if (this.isNoise) return;
    this.#values.add(sighting.value);
    if (this.#values.size > MOST_VALUES) {
      this.isNoise = true;
      this.#sightings = [];
      this.#shares.clear();
      return;
    }
    this.#sightings.push(sighting);
    if (this.#sightings.length >= KEPT) this.#settle(KEPT / 4);
  }

  flips(): Flips {
    this.#settle(1);
    return {
      returns: this.#returns,
      shares: [...this.#shares.values()].toSorted((one, other) => other.count - one.count),
      first: this.#first,
      last: this.#last,
      times: this.#times,
    };
  }

  /** Counts the changes among all sightings but the newest, in the order of the object's versions. */
  #settle(keep: number): void {
    if (this.#sightings.length <= keep) return;
    const sorted = this.#sightings.toSorted(
      (one, other) => one.version - other.version || one.time - other.time || one.order - other.order,
    );
    for (const [index, sighting] of sorted.entries()) {
      // The last one that stays is the first of the next time.
      if (index > sorted.length - keep) break;
      const previous = sorted[index - 1];
      if (previous !== undefined && previous.value !== sighting.value) this.#count(sighting);
      this.#seen.add(sighting.value);
    }
    this.#sightings = sorted.slice(-keep);
  }

  #count({ writer, value, time }: Sighting): void {
    if (this.#seen.has(value)) this.#returns++;
    const key = `${writer.kind} ${writer.name} ${writer.detail} ${value}`;
    const share = this.#shares.get(key);
    if (share === undefined) this.#shares.set(key, { writer, value, count: 1 });
    else share.count++;
    this.#first = Math.min(this.#first, time);
    this.#last = Math.max(this.#last, time);
    this.#times.push(time);
    if (this.#times.length > KEPT) this.#times = this.#times.filter((_, index) => index % 2 === 1);
  }
}
