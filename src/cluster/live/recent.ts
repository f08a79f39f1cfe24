/** Keys that count for a while after they were added. */
export class Recent {
  readonly #lifetimeMs: number;
  /** Oldest first: a key that is added again goes to the end. */
  readonly #addedAt = new Map<string, number>();

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  add(key: string, now: number): void {
    this.#addedAt.delete(key);
    this.#addedAt.set(key, now);
  }

  has(key: string, now: number): boolean {
    const addedAt = this.#addedAt.get(key);
    return addedAt !== undefined && now - addedAt < this.#lifetimeMs;
  }

  forgetExpired(now: number): void {
    for (const [key, addedAt] of this.#addedAt) {
      if (now - addedAt < this.#lifetimeMs) return;
      this.#addedAt.delete(key);
    }
  }
}
