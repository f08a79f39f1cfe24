import { readFileSync } from 'node:fs';
import { PodgraftError } from '../podgraft-error.ts';
import type { FileSource, FileView } from '../sdk/file-view.ts';

/** A file view over texts given by path: what those files would hold. */
export function textFiles(texts: { readonly [path: string]: string }): FileView {
  const parsed = new Map<FileSource, unknown>();
  return {
    get<T>(source: FileSource<T>): T | undefined {
      const text = Object.hasOwn(texts, source.path) ? texts[source.path] : undefined;
      if (text === undefined) return undefined;
      if (!parsed.has(source)) parsed.set(source, source.parse(text));
      // Only `source.parse` has put something under `source`.
      return parsed.get(source) as T;
    },
  };
}

/** A file view over files as they are now: for a command that runs once, where a bad file is an error. */
export function readFiles(sources: readonly FileSource[]): FileView {
  const view = textFiles(Object.fromEntries(sources.flatMap(({ path }) => textOf(path))));
  for (const source of sources) {
    try {
      view.get(source);
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      throw new PodgraftError('CONFIG_UNREADABLE', `Cannot read "${source.path}": ${message}`, { cause });
    }
  }
  return view;
}

/** A file that is not there is left out: its injector decides what that means. */
function textOf(path: string): [string, string][] {
  try {
    return [[path, readFileSync(path, 'utf8')]];
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw new PodgraftError('CONFIG_UNREADABLE', `Cannot read "${path}": ${String(cause)}`, { cause });
  }
}

export function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
