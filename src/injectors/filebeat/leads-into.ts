import { cacheByObject } from '../../sdk/index.ts';
import { isGlob } from './log-path.ts';

type Segments = readonly string[];

/**
 * Whether one of these folders is a directory or below it. A glob matches any name: a mount too many is better than one too few.
 * All folders are compared at once, since each may be as long as the path of every mount.
 */
export function leadsInto(folders: readonly Segments[], directory: Segments): boolean {
  return matchersOf(folders).some((matches) => matches(directory));
}

/** Of an integer. Longer lists of folders take several. */
const BITS = 32;

const matchersOf = cacheByObject((folders: readonly Segments[]) => {
  const matchers: ((directory: Segments) => boolean)[] = [];
  for (let start = 0; start < folders.length; start += BITS)
    matchers.push(matcherOf(folders.slice(start, start + BITS)));
  return matchers;
});

/** Sets of folders, with a bit for each. */
interface Depth {
  /** Those with `**` at this depth, which matches everything below, too. */
  rest: number;
  /** Those with another glob. */
  any: number;
  /** The others, by their name at this depth. */
  readonly named: Map<string, number>;
}

function matcherOf(folders: readonly Segments[]): (directory: Segments) => boolean {
  const depths: Depth[] = [];
  for (const [index, folder] of folders.entries()) {
    const bit = 1 << index;
    for (const [at, segment] of folder.entries()) {
      depths[at] ??= { rest: 0, any: 0, named: new Map() };
      const depth = depths[at];
      if (segment === '**') depth.rest |= bit;
      else if (isGlob(segment)) depth.any |= bit;
      else depth.named.set(segment, (depth.named.get(segment) ?? 0) | bit);
    }
  }
  return (directory) => {
    let matching = -1;
    for (let at = 0; at < directory.length; at++) {
      const depth = depths[at];
      if (depth === undefined) return false;
      if ((matching & depth.rest) !== 0) return true;
      matching &= depth.any | (depth.named.get(directory[at] as string) ?? 0);
      if (matching === 0) return false;
    }
    return true;
  };
}
