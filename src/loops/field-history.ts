import { ABSENT } from './leaf-hash.ts';

/** A write at which a field was observed. All fields of an object share it. */
export interface Observation {
  /** Of the object; writes without effect do not increase it. */
  readonly version: number;
  readonly time: number;
  /** The order in which events were read; breaks ties. */
  readonly order: number;
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
  /** How often the field returned to an earlier value. */
  readonly returns: number;
  readonly shares: readonly Share[];
  readonly first: number;
  readonly last: number;
  /** When it changed: some of the times. */
  readonly times: readonly number[];
}

const KEPT = 512;
const MOST_VALUES = 8;

/** The history of one field of one object, in bounded memory. Values are hashes. */
export class FieldHistory {
  /** A counter or a time: its values never return. */
  isNoise = false;
  /** Whether the field is a list or a map that a webhook sets as a whole. */
  isWhole = false;
  #observations: Observation[] = [];
  #values: number[] = [];
  readonly #distinct: number[] = [];
  readonly #texts: string[] = [];
  /** Values of observations that have been counted. */
  readonly #counted: number[] = [];
  #shares: { writer: Writer; value: number; count: number }[] = [];
  #returns = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = 0;
  #times: number[] = [];

  /** Returns whether the field has had this value before. */
  add(observation: Observation, value: number): boolean {
    if (this.isNoise) return false;
    const isKnown = this.#distinct.includes(value);
    if (!isKnown) this.#distinct.push(value);
    if (this.#distinct.length > MOST_VALUES) {
      this.isNoise = true;
      this.#observations = [];
      this.#values = [];
      return false;
    }
    this.#observations.push(observation);
    this.#values.push(value);
    if (this.#observations.length >= KEPT) this.#settle(KEPT / 4);
    return isKnown;
  }

  hasText(value: number): boolean {
    return value === ABSENT || this.#texts[this.#distinct.indexOf(value)] !== undefined;
  }

  /** Sets what to show for a value. */
  setText(value: number, text: string): void {
    const index = this.#distinct.indexOf(value);
    if (index >= 0) this.#texts[index] = text;
  }

  flips(): Flips {
    this.#settle(1);
    const shares = this.#shares.map(({ writer, value, count }) => ({
      writer,
      value: this.#textOf(value),
      count,
    }));
    return {
      returns: this.#returns,
      shares: shares.toSorted((one, other) => other.count - one.count),
      first: this.#first,
      last: this.#last,
      times: this.#times,
    };
  }

  #textOf(value: number): string {
    if (value === ABSENT) return '(absent)';
    return this.#texts[this.#distinct.indexOf(value)] ?? '(an earlier value)';
  }

  /** Counts the changes among all observations but the newest, in the order of the object's versions. */
  #settle(keep: number): void {
    if (this.#observations.length <= keep) return;
    const sorted = this.#observations
      .map((observation, index) => ({ observation, value: this.#values[index] ?? ABSENT }))
      .toSorted(
        ({ observation: one }, { observation: other }) =>
          one.version - other.version || one.time - other.time || one.order - other.order,
      );
    for (const [index, { observation, value }] of sorted.entries()) {
      // The first one kept is also the last one counted.
      if (index > sorted.length - keep) break;
      const previous = sorted[index - 1];
      if (previous !== undefined && previous.value !== value) this.#count(observation, value);
      if (!this.#counted.includes(value)) this.#counted.push(value);
    }
    const rest = sorted.slice(-keep);
    this.#observations = rest.map(({ observation }) => observation);
    this.#values = rest.map(({ value }) => value);
  }

  #count({ writer, time }: Observation, value: number): void {
    if (this.#counted.includes(value)) this.#returns++;
    const share = this.#shares.find((each) => each.writer === writer && each.value === value);
    if (share !== undefined) share.count++;
    // More writers are not recorded.
    else if (this.#shares.length < KEPT) this.#shares.push({ writer, value, count: 1 });
    this.#first = Math.min(this.#first, time);
    this.#last = Math.max(this.#last, time);
    this.#times.push(time);
    if (this.#times.length > KEPT) this.#times = this.#times.filter((_, index) => index % 2 === 1);
  }
}
