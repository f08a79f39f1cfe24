/** An index as Go's strconv.Atoi reads it: `+1` and `01` are fine. Go's error if it is not a number. */
export function goArrayIndex(text: string): number | string {
  return /^[+-]?\d{1,15}$/.test(text)
    ? Number(text)
    : `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
}

/** An index of a list, counted from its end if it is negative; an error if it is outside. */
export function sizedIndex(index: number, size: number): number | string {
  if (index >= -size && index < size) return index < 0 ? index + size : index;
  return `Unable to access invalid index: ${index}: invalid index referenced`;
}
