import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The folder with another system's expectations as data, which is not part of this repository; undefined, with a
 * message, if it is missing. In CI that is an error instead: a skipped suite proves nothing.
 */
export function peersFolder(peer: string): string | undefined {
  const root = process.env.PODGRAFT_PEERS ?? fileURLToPath(new URL('../../../shared/peers', import.meta.url));
  const folder = `${root}/${peer}`;
  if (existsSync(folder)) return folder;
  if (process.env.CI) throw new Error(`No expectations of "${peer}": set PODGRAFT_PEERS to their folder`);
  console.warn(`skipped: no expectations of "${peer}" (set PODGRAFT_PEERS to their folder)`);
  return undefined;
}
