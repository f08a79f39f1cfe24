import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Changes whenever one of the files does, or a file is added to one of their folders. Does not read the files. */
export function fileStamps(files: readonly string[]): string {
  const paths = new Set(files.flatMap((file) => [file, dirname(file)]));
  return [...paths].map(stampOf).join('\n');
}

function stampOf(path: string): string {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeNs} ${stats.ctimeNs}`;
  } catch (error) {
    return String(error);
  }
}
