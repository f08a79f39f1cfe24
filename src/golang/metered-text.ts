/** Counts work, and throws if there is too much. */
export interface WorkMeter {
  spend(steps: number): void;
}

/** Trying an instruction takes about 20 ns. */
const INSTRUCTIONS_PER_STEP = 256;

/**
 * Charges the meter whenever the engine reads a character, so that an expensive search stops midway. It has the members of a string
 * that the engine uses. A subclass of String would have all of them, but V8 then stores String.prototype as a hash table, and every
 * call of a method of any string in the process looks up the method there.
 */
export class MeteredText {
  /** The engine accepts an object if it has the tag of a string. */
  readonly [Symbol.toStringTag] = 'String';
  readonly length: number;
  readonly #text: string;
  readonly #meter: WorkMeter;
  #readCost = 0;
  #owed = 0;

  constructor(text: string, meter: WorkMeter) {
    this.length = text.length;
    this.#text = text;
    this.#meter = meter;
  }

  /** The engine may try every instruction for a character, and copies the positions of groups for each. */
  startSearch(instructions: number, positions: number): void {
    this.#readCost = instructions * (1 + positions / 16);
    // Two tables of that size are allocated.
    this.#charge(4 * instructions * positions);
  }

  charCodeAt(at: number): number {
    this.#charge(this.#readCost);
    return this.#text.charCodeAt(at);
  }

  indexOf(part: string, from = 0): number {
    const at = this.#text.indexOf(part, from);
    this.#charge((at < 0 ? this.#text.length : at) - from);
    return at;
  }

  substring(start: number, end: number): string {
    return this.#text.substring(start, end);
  }

  #charge(work: number): void {
    this.#owed += work;
    if (this.#owed < INSTRUCTIONS_PER_STEP) return;
    const steps = Math.floor(this.#owed / INSTRUCTIONS_PER_STEP);
    this.#owed -= steps * INSTRUCTIONS_PER_STEP;
    this.#meter.spend(steps);
  }
}
