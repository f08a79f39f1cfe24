import type { JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import { type Fingerprint, findLeaves } from './fingerprint.ts';

/** Enough for all fields of all kinds of a cluster; labels and lists may have more. */
const MOST = 200_000;

/** The paths behind their hashes. A removed field is only known from an earlier object. */
export class PathNames {
  readonly #names = new Map<number, Pointer>();

  get(hash: number): Pointer | undefined {
    return this.#names.get(hash);
  }

  set(hash: number, path: Pointer): void {
    if (this.#names.size < MOST) this.#names.set(hash, path);
  }

  /** Learns the leaves of an object that are not known yet. */
  learn(object: () => JsonObject, { data, length }: Fingerprint): void {
    let unknown: Set<number> | undefined;
    for (let at = 0; at < length; at += 2) {
      const hash = data[at] ?? 0;
      if (this.#names.has(hash)) continue;
      unknown ??= new Set();
      unknown.add(hash);
    }
    if (unknown === undefined || this.#names.size >= MOST) return;
    findLeaves(object(), unknown, (hash, path) => this.set(hash, path));
  }
}
