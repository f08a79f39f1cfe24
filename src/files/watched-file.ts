import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { readIfPresent } from './text-files.ts';

export interface WatchedFile {
  stop(): void;
}

export interface WatchedFileOptions {
  /** Called with the text at once and after each change; undefined if the file is missing. */
  readonly onText: (text: string | undefined) => void;
  /** The file cannot be read, or `onText` threw. Called once, not at every poll. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds between polls: network file systems report no changes. */
  readonly pollEvery?: number;
  /** Milliseconds to wait for a writer to finish. */
  readonly settle?: number;
}

/**
 * Follows the text of a file. Watches its folder for any event: a mounted ConfigMap or Secret is a chain of links, of which the
 * kubelet replaces one with another name (`..data`), and editors replace files instead of writing to them.
 */
export function watchFile(
  path: string,
  { onText, onError, pollEvery = 10_000, settle = 20 }: WatchedFileOptions,
): WatchedFile {
  let known: string | undefined | typeof UNREAD | typeof UNREADABLE = UNREAD;
  let watcher: FSWatcher | undefined;
  let pending: NodeJS.Timeout | undefined;

  const read = () => {
    pending = undefined;
    const before = known;
    try {
      known = UNREADABLE;
      known = readIfPresent(path);
      if (known !== before) onText(known);
    } catch (error) {
      if (known !== before) onError(error);
    }
  };
  const readSoon = () => {
    pending ??= setTimeout(read, settle).unref();
  };
  const unwatch = () => {
    watcher?.close();
    watcher = undefined;
  };
  const poll = () => {
    try {
      watcher ??= watch(dirname(path), { persistent: false }, readSoon).on('error', unwatch);
    } catch {
      // The folder may be created later: the next poll tries again.
    }
    read();
  };

  poll();
  const timer = setInterval(poll, pollEvery).unref();
  return {
    stop() {
      clearInterval(timer);
      clearTimeout(pending);
      unwatch();
    },
  };
}

const UNREAD = Symbol('unread');
const UNREADABLE = Symbol('unreadable');
