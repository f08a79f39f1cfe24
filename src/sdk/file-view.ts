/** A file outside the cluster that an injector depends on. Compared by identity: create it once, in `config`. */
export interface FileSource<T = unknown> {
  readonly path: string;
  /** Throws if the text is invalid; the last valid content then stays in force. */
  readonly parse: (text: string) => T;
}

/** The parsed content of the files that the injector declares in `files`. */
export interface FileView {
  /** Undefined if there is no such file, or no valid content yet. */
  get<T>(source: FileSource<T>): T | undefined;
}

export const NO_FILES: FileView = { get: () => undefined };
