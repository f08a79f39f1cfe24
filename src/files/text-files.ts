import { readFileSync } from 'node:fs';
import { PodgraftError } from '../podgraft-error.ts';
import type { FileSource, FileView } from '../sdk/file-view.ts';

/** A file view over texts by path, as if those files existed. */
export function textFiles(texts: { readonly [path: string]: string }): FileView {
  const parsed = new Map<FileSource, unknown>();
  return {
    get<T>(source: FileSource<T>): T | undefined {
      const text = Object.hasOwn(texts, source.path) ? texts[source.path] : undefined;
      if (text === undefined) return undefined;
      if (!parsed.has(source)) parsed.set(source, source.parse(text));
      // Only `source.parse` has stored a value under `source`.
      return parsed.get(source) as T;
    },
  };
}

/** A file view over files as they are now: for a command that runs once, where an invalid file is an error. */
export function readFiles(sources: readonly FileSource[]): FileView {
  const values = new Map<FileSource, unknown>();
  for (const source of sources) {
    try {
      const text = readIfPresent(source.path);
      if (text !== undefined) values.set(source, source.parse(text));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new PodgraftError('CONFIG_UNREADABLE', `Cannot read "${source.path}": ${message}`, { cause });
    }
  }
  return { get: <T>(source: FileSource<T>) => values.get(source) as T | undefined };
}

/** Undefined if the file is missing: its injector decides what that means. */
export function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
