/**
 * Whether something at version `one` is told of by whoever has told all up to `other`. Undefined for versions that are not
 * decimal numbers: those of Kubernetes' own storage are, and may be compared so (KEP-5504); an extension's may be anything.
 */
export function isUpTo(one: string | undefined, other: string): boolean | undefined {
  if (one === undefined || !DECIMAL.test(one) || !DECIMAL.test(other)) return undefined;
  // Longer than a double can hold exactly; without leading zeros more digits are more.
  return one.length === other.length ? one <= other : one.length < other.length;
}

const DECIMAL = /^[1-9][0-9]*$/;
