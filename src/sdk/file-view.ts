/** A file outside the cluster on which an injector depends, and how to read it. Known by its identity: make it once, in `config`. */
export interface FileSource<T = unknown> {
  readonly path: string;
  /** Throws where the text cannot be understood; the last that could be stays in force then. */
  readonly parse: (text: string) => T;
}

/** What those files say, without waiting. Only sources that the injector declares in `files` are there. */
export interface FileView {
  /** Undefined where there is no such file, or none yet that could be understood. */
  get<T>(source: FileSource<T>): T | undefined;
}

export const NO_FILES: FileView = { get: () => undefined };
