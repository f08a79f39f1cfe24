import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { isMissing } from './text-files.ts';

export interface WatchedFile {
  stop(): void;
}

export interface WatchedFileOptions {
  /** The text, at once and whenever it changes; undefined where there is no such file. */
  readonly onText: (text: string | undefined) => void;
  /** The file is there but cannot be read, or `onText` threw: told once, not at every look. */
  readonly onError: (error: unknown) => void;
  /** How often to look without being told, in milliseconds: network file systems tell nothing. */
  readonly pollEvery?: number;
  /** How long to wait for a writer to finish, in milliseconds. */
  readonly settle?: number;
}

/**
 * Follows a file's text. It is the folder that is watched, for any event in it: a mounted ConfigMap or Secret is a chain
 * of links, of which the kubelet swaps one with another name (`..data`); and editors replace files instead of writing them.
 */
export function watchFile(
  path: string,
  { onText, onError, pollEvery = 10_000, settle = 20 }: WatchedFileOptions,
): WatchedFile {
  let known: string | undefined | typeof NOTHING_YET | typeof UNREADABLE = NOTHING_YET;
  let watcher: FSWatcher | undefined;
  let pending: NodeJS.Timeout | undefined;

  const look = () => {
    pending = undefined;
    const before = known;
    try {
      known = UNREADABLE; // Until it has been read.
      known = textOf(path);
      if (known !== before) onText(known);
    } catch (error) {
      if (known !== before) onError(error);
    }
  };
  const lookSoon = () => {
    pending ??= setTimeout(look, settle).unref();
  };
  const unwatch = () => {
    watcher?.close();
    watcher = undefined;
  };
  // The folder may come later than we do: tried again at every poll.
  const attach = () => {
    if (watcher !== undefined) return;
    try {
      watcher = watch(dirname(path), { persistent: false }, lookSoon).on('error', unwatch);
    } catch {
      watcher = undefined;
    }
  };

  attach();
  look();
  const poll = setInterval(() => {
    attach();
    look();
  }, pollEvery).unref();

  return {
    stop() {
      clearInterval(poll);
      clearTimeout(pending);
      unwatch();
    },
  };
}

const NOTHING_YET = Symbol('nothing yet');
const UNREADABLE = Symbol('unreadable');

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
