/** A part of a layout: literal text, or an element such as `2006` that stands for a part of the time. */
export interface LayoutPart {
  readonly literal: string;
  /** Empty at the end of the layout. */
  readonly element: string;
}

/** Splits a layout of Go's time package at its elements. */
export function splitLayout(layout: string): readonly LayoutPart[] {
  const parts: LayoutPart[] = [];
  let start = 0;
  for (const match of layout.matchAll(ELEMENT)) {
    // `_2006` is an underscore and a year.
    const element = match[0] === '_2006' ? '2006' : match[0];
    const at = match.index + match[0].length - element.length;
    parts.push({ literal: layout.slice(start, at), element });
    start = at + element.length;
  }
  return [...parts, { literal: layout.slice(start), element: '' }];
}

/** Whether an element is a fraction of a second. */
export function isFraction(element: string): boolean {
  return /^[.,]/.test(element);
}

/** Longer elements precede those with which they begin. */
const ELEMENT = new RegExp(
  [
    'January|Jan(?![a-z])|Monday|Mon(?![a-z])|MST',
    '0[1-6]|002|15|1|2006|2|_2006|__2|_2|3|4|5|PM|pm',
    '[-Z]07(?:0000|:00:00|00|:00)?',
    '[.,](?:0+|9+)(?![0-9])',
  ].join('|'),
  'g',
);
