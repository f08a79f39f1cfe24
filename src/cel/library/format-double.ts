import { formatFloat } from '../../golang/format-float.ts';
import { spendWork } from '../work.ts';
import { checkTextLength } from './text-limit.ts';

/** `%f` in American English: thousands separators and ∞. */
export function formatFixed(value: number, precision = 6): string {
  checkTextLength(precision);
  spendWork(5 * Math.min(precision, MAX_FRACTION));
  const special = formatSpecial(value);
  if (special !== undefined) return special;
  const [whole = '', fraction = ''] = formatFloat(
    Math.abs(value),
    'f',
    Math.min(precision, MAX_FRACTION),
  ).split('.');
  // Zeros at the end are printed up to the precision, whose number the library keeps in one byte.
  const kept = fraction.replace(/0+$/, '').padEnd(precision % 256, '0');
  return `${value < 0 ? '-' : ''}${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${kept === '' ? '' : `.${kept}`}`;
}

/** `%e` in American English: `1.234500×10⁰³`. A precision is treated as the width. */
export function formatScientific(value: number, width = 6): string {
  checkTextLength(width);
  spendWork(width / 2);
  return (formatSpecial(value) ?? scientific(value)).padStart(width);
}

/** No double has more decimals. */
const MAX_FRACTION = 1074;

function formatSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? undefined : value > 0 ? '∞' : '-∞';
}

function scientific(value: number): string {
  const [mantissa = '', exponent = ''] = formatFloat(Math.abs(value), 'e', 6).split('e');
  const raised = exponent.replace('+', '').replace(/[-\d]/g, (char) => SUPERSCRIPTS[char] ?? char);
  return `${value < 0 ? '-' : ''}${mantissa}×10${raised}`;
}

const SUPERSCRIPTS: Readonly<Record<string, string>> = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};
