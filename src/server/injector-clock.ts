/** The longest call of an injector in a review. */
export interface LongestCall {
  readonly injector: string;
  readonly milliseconds: number;
}

/** Finds the injector that makes a review slow. A call lasts until the next one begins. */
export class InjectorClock {
  #injector: string | undefined;
  #since = 0;
  #longest: LongestCall | undefined;

  start(): void {
    this.#injector = undefined;
    this.#longest = undefined;
  }

  call(injector: string): void {
    this.#endCall();
    this.#injector = injector;
  }

  /** Undefined if no injector was called. */
  stop(): LongestCall | undefined {
    this.#endCall();
    return this.#longest;
  }

  #endCall(): void {
    const now = performance.now();
    const milliseconds = now - this.#since;
    this.#since = now;
    if (this.#injector === undefined || milliseconds <= (this.#longest?.milliseconds ?? 0)) return;
    this.#longest = { injector: this.#injector, milliseconds };
  }
}
