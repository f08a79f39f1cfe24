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
  const peers = new Map<string, Set<Place>>();
  let inFlight = 0;

  function makeRoom(peer: string): boolean {
    const own = peers.get(peer)?.size ?? 0;
    let largest: ReadonlySet<Place> = new Set();
    for (const places of peers.values()) if (places.size > largest.size) largest = places;
    if (largest.size <= own + 1) return false;
    const newest = [...largest].at(-1);
    newest?.free();
    newest?.giveWay();
    return true;
  }

  return {
    acquire(peer, giveWay) {
      if (inFlight >= limit && !makeRoom(peer)) return undefined;
      const places = peers.get(peer) ?? new Set();
      peers.set(peer, places);
      const place: Place = {
        giveWay,
        free() {
          if (!places.delete(place)) return;
          inFlight--;
          if (places.size === 0) peers.delete(peer);
        },
      };
      places.add(place);
      inFlight++;
      return place.free;
    },
    get inFlight() {
      return inFlight;
    },
  };
}

interface Place {
  readonly giveWay: () => void;
  readonly free: () => void;
}
