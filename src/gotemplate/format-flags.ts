/** What stands between the % and the verb of a directive. */
export interface Flags {
  readonly plus: boolean;
  readonly minus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  /** %+v and %#v are modes of their own, not flags of what lies inside. */
  readonly mode: '' | '+' | '#';
  readonly width: number | undefined;
  readonly precision: number | undefined;
}

export const NO_FLAGS: Flags = {
  plus: false,
  minus: false,
  sharp: false,
  space: false,
  zero: false,
  mode: '',
  width: undefined,
  precision: undefined,
};

export function pad(text: string, { width, minus, zero }: Flags): string {
  if (width === undefined) return text;
  const missing = width - [...text].length;
  if (missing <= 0) return text;
  return minus ? text + ' '.repeat(missing) : (zero ? '0' : ' ').repeat(missing) + text;
}
