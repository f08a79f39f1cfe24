/** Counts work, and throws when there was too much of it. */
export interface WorkMeter {
  spend(steps: number): void;
}

/** Trying an instruction takes about 20 ns. */
const INSTRUCTIONS_PER_STEP = 256;

/** Charges the meter whenever the engine reads a character, so that an expensive search stops midway. */
export class MeteredText extends String {
  readonly #text: string;
  readonly #meter: WorkMeter;
  #readCost = 0;
  #owed = 0;

  constructor(text: string, meter: WorkMeter) {
    super(text);
    this.#text = text;
    this.#meter = meter;
  }

  /** The engine may try every instruction for a character, and copies the positions of groups for each. */
  startSearch(instructions: number, positions: number): void {
    this.#readCost = instructions * (1 + positions / 16);
    // Two tables of that size are allocated.
    this.#charge(4 * instructions * positions);
  }

  override charCodeAt(at: number): number {
    this.#charge(this.#readCost);
    return this.#text.charCodeAt(at);
  }

  override indexOf(part: string, from = 0): number {
    const at = this.#text.indexOf(part, from);
    this.#charge((at < 0 ? this.#text.length : at) - from);
    return at;
  }

  #charge(work: number): void {
    this.#owed += work;
    if (this.#owed < INSTRUCTIONS_PER_STEP) return;
    const steps = Math.floor(this.#owed / INSTRUCTIONS_PER_STEP);
    this.#owed -= steps * INSTRUCTIONS_PER_STEP;
    this.#meter.spend(steps);
  }
}
