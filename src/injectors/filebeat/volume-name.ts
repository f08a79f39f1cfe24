/** A volume name is a DNS label. */
const MAX_LENGTH = 63;
const HASH_LENGTH = 13;

/**
 * The name of a log directory's volume: a DNS label that depends on the path alone. A path of plain lower-case names stays
 * readable; any other ends in `--` and a hash, because its label alone would not be unique.
 */
export function logVolumeName(directory: string): string {
  const name = `filebeat-log${directory.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  if (/^[a-z0-9/]+$/.test(directory) && name.length <= MAX_LENGTH) return name;
  const stem = name.slice(0, MAX_LENGTH - HASH_LENGTH - '--'.length).replace(/-$/, '');
  return `${stem}--${hash(directory)}`;
}

/** The first of `name`, `name-2`, `name-3`… that is not taken. */
export function freeVolumeName(name: string, isTaken: (candidate: string) => boolean): string {
  let candidate = name;
  for (let count = 2; isTaken(candidate); count++) {
    const suffix = `-${count}`;
    candidate = name.slice(0, MAX_LENGTH - suffix.length) + suffix;
  }
  return candidate;
}

/** FNV-1a in 64 bits: wide enough that the paths of one Pod do not collide. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++) {
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return value.toString(36).padStart(HASH_LENGTH, '0');
}
