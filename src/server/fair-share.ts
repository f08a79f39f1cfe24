/**
 * Divides a limit among peers. Beyond the limit, the oldest claim of the largest peer is dropped. So a flood pushes out only
 * itself, and a single API server, or a load balancer that hides several, may still use everything.
 */
export interface FairShare {
  /** Opens a claim that holds nothing yet; `giveWay` is called at most once, and frees it. */
  claim(peer: string, giveWay: () => void): Claim;
  /** Claims that are open. */
  readonly count: number;
  /** What they hold together. */
  readonly held: number;
}

export interface Claim {
  /** May make this or other claims give way. */
  grow(amount: number): void;
  /** Claims that give way `first` do so before all that give way `last`; those that `never` do are finished soon. */
  giveWay(when: 'first' | 'last' | 'never'): void;
  /** May be called more than once. */
  free(): void;
}

export function createFairShare(limit: number): FairShare {
  const peers = new Map<string, Peer>();
  let count = 0;
  let held = 0;
  return {
    claim(address, giveWay) {
      const peer = peers.get(address) ?? { held: 0, count: 0, first: new Set(), last: new Set() };
      peers.set(address, peer);
      const holder: Holder = { held: 0, isOpen: true, giveWay, free };
      peer.first.add(holder);
      peer.count++;
      count++;
      return {
        grow(amount) {
          if (!holder.isOpen) return;
          holder.held += amount;
          peer.held += amount;
          held += amount;
          while (held > limit && holder.isOpen) {
            const victim = oldest(peers, 'first', holder) ?? oldest(peers, 'last', holder) ?? holder;
            victim.free();
            victim.giveWay();
          }
        },
        giveWay(when) {
          leaveQueues();
          if (when !== 'never' && holder.isOpen) peer[when].add(holder);
        },
        free,
      };

      function leaveQueues() {
        peer.first.delete(holder);
        peer.last.delete(holder);
      }

      function free() {
        if (!holder.isOpen) return;
        holder.isOpen = false;
        leaveQueues();
        peer.held -= holder.held;
        held -= holder.held;
        count--;
        if (--peer.count === 0) peers.delete(address);
      }
    },
    get count() {
      return count;
    },
    get held() {
      return held;
    },
  };
}

interface Holder {
  held: number;
  isOpen: boolean;
  readonly giveWay: () => void;
  readonly free: () => void;
}

interface Peer {
  held: number;
  count: number;
  /** In the order in which they give way. */
  readonly first: Set<Holder>;
  readonly last: Set<Holder>;
}

/** The oldest in this queue of the peer that holds the most, other than the one that asks. */
function oldest(
  peers: ReadonlyMap<string, Peer>,
  queue: 'first' | 'last',
  asking: Holder,
): Holder | undefined {
  let most = -1;
  let found: Holder | undefined;
  for (const peer of peers.values()) {
    if (peer.held <= most) continue;
    for (const holder of peer[queue]) {
      if (holder === asking) continue;
      most = peer.held;
      found = holder;
      break;
    }
  }
  return found;
}
