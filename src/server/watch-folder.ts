import { watch } from 'node:fs';

/** Slow enough to cost nothing, fast enough for a certificate: not every file system tells of its changes. */
const POLL_MS = 10_000;
/** A rotation writes several files; one look afterwards is enough. */
const SETTLE_MS = 100;

/**
 * Calls back after something in a folder has changed. A mounted Secret swaps the symlink `..data`, which is a change in
 * the folder itself, so that watching the folder sees it. Returns how to stop.
 */
export function watchFolder(folder: string, look: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(look, SETTLE_MS);
  };
  const watcher = watch(folder, soon);
  watcher.on('error', () => watcher.close());
  const poll = setInterval(look, POLL_MS);
  poll.unref();
  return () => {
    watcher.close();
    clearInterval(poll);
    clearTimeout(timer);
  };
}
