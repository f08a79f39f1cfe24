import type { Mutator } from '../resource/mutator.ts';
import { matchesByContent } from './matches-object.ts';
import { type Route, routeOf } from './route.ts';

/** Mutators that are applied in one walk. */
export interface Batch {
  readonly mutators: readonly Mutator[];
  readonly route: Route;
  /** Whether one of them sets external data. */
  readonly isExternal: boolean;
}

/** Consecutive mutators run in one walk. One whose `match` depends on parts that others may have changed is a separate batch. */
export function batchesOf(mutators: readonly Mutator[]): readonly Batch[] {
  const batches: Mutator[][] = [];
  let isOpen = false;
  for (const mutator of mutators) {
    const isAlone = matchesByContent(mutator);
    if (isOpen && !isAlone) batches.at(-1)?.push(mutator);
    else batches.push([mutator]);
    isOpen = !isAlone;
  }
  return batches.map((batch) => ({
    mutators: batch,
    route: routeOf(batch),
    isExternal: batch.some(({ change }) => change.type === 'externalData'),
  }));
}
