import type { Cost } from '../declarations.ts';
import { costSize } from '../values/size.ts';

/** Reading a text: a tenth of its length. */
export const traversal: Cost = ([text]) => tenths(text);

/** Reading a text and writing one of the same length. */
export const doubleTraversal: Cost = ([text]) => Math.ceil((costSize(text) * 2) / 10);

export const nominal: Cost = () => 1;

export function tenths(value: unknown): number {
  return Math.ceil(costSize(value) / 10);
}

/** Matching a text against a pattern of some length, where a part of a pattern is taken to have four characters. */
export function matching(text: unknown, patternLength: number): number {
  return Math.ceil((1 + costSize(text)) / 10) * Math.ceil(patternLength / 4);
}
