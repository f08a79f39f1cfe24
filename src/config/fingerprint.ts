import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { version } from '../version.ts';
import { isModulePath } from './load-module.ts';
import type { RawEntry } from './schema.ts';

/**
 * Identifies what an injector does: two servers with the same fingerprint treat the same object alike. Changes with the entry, the
 * text of its module, the excluded namespaces and the version of podgraft.
 */
export async function fingerprint(
  entry: RawEntry,
  excludedNamespaces: readonly string[],
  folder: string,
): Promise<string> {
  const module = isModulePath(entry.use) ? await moduleText(resolve(folder, entry.use)) : '';
  const input = JSON.stringify([version(), entry, module, excludedNamespaces.toSorted()]);
  return createHash('sha256').update(input).digest('hex').slice(0, 12);
}

/** Empty if the path is not that of a file: a module may be named without its extension. */
async function moduleText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
