import type { Volume } from '../../kube/generated/types.ts';
import type { DeepReadonly } from '../../kube/kube-object.ts';

/** The API server's limit for a DNS label. */
const LONGEST = 63;
const HASH_LENGTH = 13;

/**
 * The name of a log directory's volume: a valid DNS label that depends on the path alone. `/var/log/nginx` reads as
 * such; a path that cannot be told from another one that way is told by its hash, behind the only `--` there can be.
 */
export function logVolumeName(directory: string): string {
  const name = `filebeat-log${directory.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`;
  if (/^[a-z0-9/]+$/.test(directory) && name.length <= LONGEST) return name;
  const stem = name.slice(0, LONGEST - HASH_LENGTH - '--'.length).replace(/-$/, '');
  return `${stem}--${hash(directory)}`;
}

/** The first of `name`, `name-2`, `name-3`… that is not taken by a volume for something else. */
export function freeVolumeName(
  volumes: readonly DeepReadonly<Volume>[],
  name: string,
  isOurs: (volume: DeepReadonly<Volume>) => boolean,
): string {
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? name : `${name.slice(0, LONGEST - 4)}-${count}`;
    const holder = volumes.find((volume) => volume.name === candidate);
    if (holder === undefined || isOurs(holder)) return candidate;
  }
}

/** FNV-1a in 64 bits: two paths of one Pod do not meet by chance. */
function hash(text: string): string {
  let value = 0xcbf29ce484222325n;
  for (let index = 0; index < text.length; index++) {
    value = BigInt.asUintN(64, (value ^ BigInt(text.charCodeAt(index))) * 0x100000001b3n);
  }
  return value.toString(36).padStart(HASH_LENGTH, '0');
}
