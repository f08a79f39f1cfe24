import { LinkedList, ListEntry } from './linked-list.ts';
import { Peers } from './peers.ts';

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
  const peers = new Peers<Peer>(() => ({
    held: 0,
    count: 0,
    first: new LinkedList(),
    last: new LinkedList(),
  }));
  let count = 0;
  let held = 0;
  return {
    claim(address, giveWay) {
      const peer = peers.get(address);
      const holder: Holder = { held: 0, isOpen: true, giveWay, free };
      const entry = new ListEntry(holder);
      peer.first.append(entry);
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
          if (when === 'never') entry.remove();
          else if (holder.isOpen) peer[when].append(entry);
        },
        free,
      };

      function free() {
        if (!holder.isOpen) return;
        holder.isOpen = false;
        entry.remove();
        peer.held -= holder.held;
        held -= holder.held;
        count--;
        peer.count--;
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
  readonly first: LinkedList<Holder>;
  readonly last: LinkedList<Holder>;
}

/** The oldest in this queue of the peer that holds the most, other than the one that asks. */
function oldest(peers: Peers<Peer>, queue: 'first' | 'last', asking: Holder): Holder | undefined {
  let most = -1;
  let found: Holder | undefined;
  for (const peer of peers.values()) {
    if (peer.held <= most) continue;
    let { first: entry } = peer[queue];
    if (entry?.value === asking) entry = peer[queue].after(entry);
    if (entry === undefined) continue;
    most = peer.held;
    found = entry.value;
  }
  return found;
}
