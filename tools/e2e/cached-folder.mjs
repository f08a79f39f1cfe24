import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Path of a folder in the cache under the home directory, filled by `make` if it does not exist. `recipe` is everything that its content
 * depends on: another one makes another folder. An interrupted `make` leaves nothing that counts as complete.
 */
export async function cachedFolder(name, recipe, make) {
  const cache = join(homedir(), '.cache', 'podgraft', 'e2e');
  const key = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 12);
  const folder = join(cache, `${name}-${key}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, '.making-'));
  try {
    const started = Date.now();
    await make(unfinished);
    renameSync(unfinished, folder);
    console.log(`Made ${name} in ${Math.round((Date.now() - started) / 1000)} s: ${folder}`);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}
