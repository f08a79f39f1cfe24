import type { FileSource, FileView } from '../sdk/file-view.ts';
import { type WatchedFileOptions, watchFile } from './watched-file.ts';

export interface WatchedFiles extends FileView {
  stop(): void;
}

export interface WatchedFilesOptions extends Pick<WatchedFileOptions, 'pollEvery' | 'settle'> {
  /** A file cannot be read or parsed: called once for each text. Its last valid value stays in force. */
  readonly onInvalid: (path: string, error: unknown) => void;
}

/** A live file view with the last valid value of each file. All files have been read when it returns. */
export function watchFiles(
  sources: readonly FileSource[],
  { onInvalid, ...options }: WatchedFilesOptions,
): WatchedFiles {
  const values = new Map<FileSource, unknown>();
  const watched = [...new Set(sources)].map((source) =>
    watchFile(source.path, {
      ...options,
      onText: (text) => values.set(source, text === undefined ? undefined : source.parse(text)),
      onError: (error) => onInvalid(source.path, error),
    }),
  );
  return {
    // Only `source.parse` has stored a value under `source`.
    get: <T>(source: FileSource<T>) => values.get(source) as T | undefined,
    stop() {
      for (const file of watched) file.stop();
    },
  };
}
