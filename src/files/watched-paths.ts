import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { dirname, join } from 'node:path';

export interface WatchedPaths {
  /** Watches these paths from now on, instead of others. */
  watch(paths: readonly string[]): void;
  /** Watches further paths, besides those it knows. */
  add(paths: readonly string[]): void;
  stop(): void;
}

export interface WatchedPathsOptions {
  readonly onChange: () => void;
  /** Milliseconds between polls: network file systems report no changes. */
  readonly pollEvery?: number;
  /** Milliseconds to wait for a writer to finish. */
  readonly settle?: number;
}

/** Reports changes of files, and of all files below folders: written, replaced, added or removed. */
export function watchPaths({ onChange, pollEvery = 2_000, settle = 30 }: WatchedPathsOptions): WatchedPaths {
  let paths: readonly string[] = [];
  let known = '';
  let pending: NodeJS.Timeout | undefined;
  const watchers = new Map<string, FSWatcher>();

  const look = () => {
    pending = undefined;
    const seen = inspect(paths);
    follow(seen.folders);
    if (seen.state === known) return;
    known = seen.state;
    onChange();
  };
  const lookSoon = () => {
    pending ??= setTimeout(look, settle);
  };
  const follow = (folders: ReadonlySet<string>) => {
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of folders) {
      if (watchers.has(folder)) continue;
      const unwatch = () => watchers.delete(folder);
      try {
        watchers.set(folder, watch(folder, { persistent: false }, lookSoon).on('error', unwatch));
      } catch {
        // It may be created later: the next poll tries again.
      }
    }
  };
  const replace = (next: readonly string[]) => {
    paths = next;
    const { state, folders } = inspect(paths);
    known = state;
    follow(folders);
  };
  const timer = setInterval(look, pollEvery).unref();
  return {
    watch: replace,
    add(more) {
      const further = more.filter((path) => !paths.includes(path));
      if (further.length === 0) return;
      // Those that were known already may have changed since.
      const isChanged = inspect(paths).state !== known;
      replace([...paths, ...further]);
      if (isChanged) onChange();
    },
    stop() {
      clearInterval(timer);
      clearTimeout(pending);
      follow(new Set());
    },
  };
}

/** The folders to watch, and a text that differs whenever a file does. */
function inspect(paths: readonly string[]): {
  readonly state: string;
  readonly folders: ReadonlySet<string>;
} {
  const folders = new Set<string>();
  const files: string[] = [];
  const visit = (path: string) => {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      folders.add(path);
      for (const name of readdirSync(path)) visit(join(path, name));
    } else {
      files.push(`${path} ${stats?.ino} ${stats?.size} ${stats?.mtimeMs}`);
    }
  };
  for (const path of paths) {
    // Editors replace files instead of writing to them.
    folders.add(dirname(path));
    visit(path);
  }
  return { state: files.join('\n'), folders };
}
