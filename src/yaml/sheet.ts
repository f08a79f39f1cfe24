import type { Source } from './source.ts';
import type { Style } from './style.ts';

/** A document with the style of its text. */
export interface Sheet extends Source {
  readonly style: Style;
}

/** A part of the text, and what it becomes. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}
