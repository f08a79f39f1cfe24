import { LinkedList, ListEntry } from './linked-list.ts';
import { Peers } from './peers.ts';

/** Limits the number of reviews that are under way at the same time, and divides it among peers. */
export interface ReviewLimiter {
  /**
   * Takes a place and returns how to free it, which may be called more than once; undefined if all are taken. Then the newest
   * review of the peer that holds the most gives way, if that peer still has no fewer: its older ones are closer to their
   * answer, and a single API server, or a load balancer that hides several, may use all places.
   */
  acquire(peer: string, giveWay: () => void): (() => void) | undefined;
  readonly inFlight: number;
}

export function createReviewLimiter(limit: number): ReviewLimiter {
  const peers = new Peers<Peer>(() => ({ count: 0, reviews: new LinkedList() }));
  let inFlight = 0;

  function makeRoom({ count }: Peer): boolean {
    let largest: Peer | undefined;
    for (const peer of peers.values()) if (peer.count > (largest?.count ?? count + 1)) largest = peer;
    const newest = largest?.reviews.last?.value;
    newest?.free();
    newest?.giveWay();
    return newest !== undefined;
  }

  return {
    acquire(address, giveWay) {
      const peer = peers.get(address);
      if (inFlight >= limit && !makeRoom(peer)) return undefined;
      let isUnderWay = true;
      const free = () => {
        if (!isUnderWay) return;
        isUnderWay = false;
        entry.remove();
        peer.count--;
        inFlight--;
      };
      const entry = new ListEntry<Review>({ giveWay, free });
      peer.reviews.append(entry);
      peer.count++;
      inFlight++;
      return free;
    },
    get inFlight() {
      return inFlight;
    },
  };
}

interface Peer {
  count: number;
  /** The newest is the last. */
  readonly reviews: LinkedList<Review>;
}

interface Review {
  readonly giveWay: () => void;
  readonly free: () => void;
}
