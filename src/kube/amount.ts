import type { Json } from '../json/json.ts';
import { isLess, isQuantity } from './quantity.ts';

export type Amount = string | number;

/** Whether a value is a quantity that is not negative. */
export function isNotNegative(value: Json): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (smallAmount(value) !== undefined) return true;
  return isQuantity(String(value)) && !isLess(value, '0');
}

/** Whether an amount is above a limit; false if the limit is no quantity. */
export function isAbove(amount: Amount, limit: Json): boolean {
  if (amount === limit || (typeof limit !== 'string' && typeof limit !== 'number')) return false;
  const [small, most] = [smallAmount(amount), smallAmount(limit)];
  return small === undefined || most === undefined ? isLess(limit, amount) : small > most;
}

/** In thousandths, for amounts that are exact as such: nearly all of them. Exact arithmetic takes ten times as long. */
function smallAmount(value: Amount): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && value >= 0 ? value * 1000 : undefined;
  // Without a regular expression, whose match would be most of the cost.
  let digits = 0;
  let at = 0;
  for (; at < value.length && at < 9; at++) {
    const digit = value.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) break;
    digits = digits * 10 + digit;
  }
  const unit = at === 0 ? undefined : UNITS.get(value.slice(at));
  if (unit === undefined) return undefined;
  const amount = digits * unit;
  return Number.isSafeInteger(amount) ? amount : undefined;
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['m', 1],
  ['', 1000],
  ['k', 1e6],
  ['M', 1e9],
  ['G', 1e12],
  ['Ki', 1000 * 2 ** 10],
  ['Mi', 1000 * 2 ** 20],
  ['Gi', 1000 * 2 ** 30],
]);
