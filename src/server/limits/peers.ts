/**
 * What is known of each peer, by its address. Idle peers are removed only when there are many: removing a peer after each of its
 * requests would have the cost that `LinkedList` avoids.
 */
export class Peers<P extends Peer> {
  readonly #byAddress = new Map<string, P>();
  readonly #create: () => P;
  #removeIdleAt = FEW;

  constructor(create: () => P) {
    this.#create = create;
  }

  get(address: string): P {
    const known = this.#byAddress.get(address);
    if (known !== undefined) return known;
    if (this.#byAddress.size >= this.#removeIdleAt) this.#removeIdle();
    const peer = this.#create();
    this.#byAddress.set(address, peer);
    return peer;
  }

  /** Idle ones too. */
  values(): Iterable<P> {
    return this.#byAddress.values();
  }

  /** Amortized constant time for each new peer: the next time is when there are twice as many as remain now. */
  #removeIdle(): void {
    for (const [address, peer] of this.#byAddress) if (peer.count === 0) this.#byAddress.delete(address);
    this.#removeIdleAt = Math.max(FEW, 2 * this.#byAddress.size);
  }
}

export interface Peer {
  /** What it has open. A peer that has nothing open is idle, and can be removed. */
  readonly count: number;
}

const FEW = 64;
