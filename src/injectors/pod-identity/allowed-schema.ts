import * as v from 'valibot';
import { withinLimits } from './expiration.ts';

const patterns = () => v.optional(v.array(v.pipe(v.string(), v.nonEmpty('must not be empty'))));
const seconds = (fallback: number) =>
  v.optional(
    v.pipe(
      v.number(),
      v.integer('expected a whole number of seconds'),
      v.check((value) => withinLimits(value) === value, 'expected 600 to 4294967296 seconds'),
    ),
    fallback,
  );

/** Limits on what annotations can request. */
export const allowedSchema = v.strictObject({
  roleArns: patterns(),
  audiences: patterns(),
  tokenExpiration: v.optional(
    v.pipe(
      v.strictObject({ min: seconds(withinLimits(0)), max: seconds(withinLimits(Number.MAX_VALUE)) }),
      v.check(({ min, max }) => min <= max, 'expected "min" to be at most "max"'),
    ),
    {},
  ),
});
