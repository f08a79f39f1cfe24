import { fromBytes, toBytes } from '../../golang/utf8.ts';
import { type FunctionMap, metered } from '../func.ts';
import { type Meter, textCost } from '../meter.ts';
import type { Int } from '../values.ts';

/** Sprig's functions that break a text into lines. Lengths are in bytes. */
export const WRAP: FunctionMap = {
  wrap: metered('func(int, string) string', (meter, length: Int, text: string) =>
    wrapped(meter, text, length, '\n', false),
  ),
  wrapWith: metered(
    'func(int, string, string) string',
    (meter, length: Int, separator: string, text: string) =>
      wrapped(meter, text, length, separator || '\n', true),
  ),
};

const SPACE = 32;

/** Breaks at the last space within `length`. Longer words are cut, or else get their own line. */
function wrapped(meter: Meter, text: string, length: Int, separator: string, cutsWords: boolean): string {
  meter.spend(textCost(text));
  const bytes = toBytes(text);
  const most = length.value < 1n ? 1 : Number(length.value);
  const lines: string[] = [];
  let start = 0;
  const end = (at: number, next: number) => {
    lines.push(fromBytes(bytes.subarray(start, at)));
    start = next;
    meter.spend(1);
  };
  while (bytes.length - start > most) {
    if (bytes[start] === SPACE) {
      start++;
      continue;
    }
    const space = bytes.subarray(start, start + most + 1).lastIndexOf(SPACE);
    if (space >= 0) end(start + space, start + space + 1);
    else if (cutsWords) end(start + most, start + most);
    else {
      const next = bytes.indexOf(SPACE, start + most);
      if (next < 0) break;
      end(next, next + 1);
    }
  }
  meter.reserve(text.length + lines.length * separator.length);
  lines.push(fromBytes(bytes.subarray(start)));
  return lines.join(separator);
}
