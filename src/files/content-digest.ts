import { createHash } from 'node:crypto';
import { readIfPresent } from './text-files.ts';

/** Changes whenever one of the files does. */
export function contentDigest(files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(JSON.stringify([file, textOf(file)]));
  return hash.digest('hex');
}

/** An unreadable file is reported when it is loaded. */
function textOf(file: string): string | null {
  try {
    return readIfPresent(file) ?? null;
  } catch (error) {
    return String(error);
  }
}
