import { type FSWatcher, statSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { contentDigest } from './content-digest.ts';

export interface ContentWatch {
  stop(): void;
}

export interface ContentWatchOptions {
  /** The files; called again before each look, since one file may name others. Missing ones are watched too. */
  readonly files: () => readonly string[];
  /** The digest of the files as they were last read. */
  readonly since: string;
  /** Called one at a time. `isCurrent` returns false once the files have changed again. */
  readonly onChange: (isCurrent: () => boolean) => Promise<void>;
  /** Milliseconds between polls: network file systems report no changes. */
  readonly pollEvery?: number;
  /** Milliseconds without a change after which a writer has finished. */
  readonly settle?: number;
}

/** Follows several files as one: whatever depends on more than one of them must not see half a change. */
export function watchContent({
  files,
  since,
  onChange,
  pollEvery = 10_000,
  settle = 200,
}: ContentWatchOptions): ContentWatch {
  const ending = new AbortController();
  let folders = new Map<string, FSWatcher>();
  const digest = () => contentDigest(files());
  let known = since;
  /** The files at the last look, and their stamps before they were read. */
  let looked: { files: readonly string[]; stamps: string } = { files: [], stamps: '' };
  let isLooking = false;
  let isDue = false;

  async function settled(first: string): Promise<string> {
    for (let before = first; ; ) {
      await sleep(settle, undefined, { ref: false });
      const now = digest();
      if (now === before) return now;
      before = now;
    }
  }

  async function lookUntilNothingIsDue(): Promise<void> {
    do {
      isDue = false;
      const list = files();
      looked = { files: list, stamps: fileStamps(list) };
      const now = contentDigest(list);
      if (now === known) continue;
      known = await settled(now);
      // They may name other files now.
      isDue = true;
      if (!ending.signal.aborted) await onChange(() => digest() === known);
    } while (isDue);
  }

  const look = () => {
    if (ending.signal.aborted) return;
    isDue = true;
    if (isLooking) return;
    isLooking = true;
    void lookUntilNothingIsDue().finally(() => {
      isLooking = false;
      follow();
    });
  };

  /** A folder that does not exist yet is followed once a poll has found it. */
  function follow(): void {
    if (ending.signal.aborted) return;
    const wanted = new Set(looked.files.map((file) => dirname(file)));
    for (const [folder, watcher] of folders) if (!wanted.has(folder)) watcher.close();
    folders = new Map([...wanted].flatMap((folder) => watcherOf(folder, folders, look)));
  }

  /** Reading and parsing all files would delay reviews. */
  const poll = () => {
    if (fileStamps(looked.files) !== looked.stamps) look();
  };

  look();
  const timer = setInterval(poll, pollEvery).unref();
  return {
    stop() {
      ending.abort();
      clearInterval(timer);
      for (const watcher of folders.values()) watcher.close();
    },
  };
}

function watcherOf(
  folder: string,
  known: ReadonlyMap<string, FSWatcher>,
  onEvent: () => void,
): readonly (readonly [string, FSWatcher])[] {
  const existing = known.get(folder);
  if (existing !== undefined) return [[folder, existing]];
  try {
    // Polls find the changes of a folder that can no longer be watched.
    const watcher = watch(folder, { persistent: false }, onEvent).on('error', () => watcher.close());
    return [[folder, watcher]];
  } catch {
    return [];
  }
}

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
