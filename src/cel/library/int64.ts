import { MAX_INT64, MAX_UINT64, MIN_INT64 } from '../../golang/parse-number.ts';
import { CelError } from '../cel-error.ts';

export function checkInt(value: bigint): bigint {
  if (value < MIN_INT64 || value > MAX_INT64) throw new CelError('integer overflow');
  return value;
}

export function checkUint(value: bigint): bigint {
  if (value < 0n || value > MAX_UINT64) throw new CelError('unsigned integer overflow');
  return value;
}
