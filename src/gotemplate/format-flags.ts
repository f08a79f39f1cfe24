/** The flags, width and precision of a directive: all between the % and the verb. */
export interface Flags {
  readonly plus: boolean;
  readonly minus: boolean;
  readonly sharp: boolean;
  readonly space: boolean;
  readonly zero: boolean;
  /** In %+v and %#v the flag selects a mode and does not apply to nested values. */
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
