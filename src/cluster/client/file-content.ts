import { readFileSync, statSync } from 'node:fs';

export interface FileContent {
  /** Throws what `node:fs` throws. */
  read(): string;
  /** The next `read` goes to the file, whatever its date says. */
  forget(): void;
}

const LOOK_AGAIN_MS = 5_000;

/** A small file that others replace now and then, such as a mounted token: its date is looked at every few seconds at most. */
export function fileContent(path: string, now: () => number = Date.now): FileContent {
  let known: { readonly text: string; readonly mtimeMs: number } | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return {
    read() {
      if (known !== undefined && now() - lookedAt < LOOK_AGAIN_MS) return known.text;
      const { mtimeMs } = statSync(path);
      if (known?.mtimeMs !== mtimeMs) known = { text: readFileSync(path, 'utf8'), mtimeMs };
      lookedAt = now();
      return known.text;
    },
    forget() {
      known = undefined;
    },
  };
}
