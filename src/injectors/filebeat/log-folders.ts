import { normalPath } from './paths.ts';

/** The items of a comma-separated list. */
export function listedPaths(paths: string): string[] {
  return paths
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
}

/** Where the files of a path are, globs included: a glob or a name with an extension is a file, anything else a directory. */
export function folderOf(path: string): string {
  const segments = path.split('/');
  const last = segments.at(-1) ?? '';
  const isFile = hasExtension(last) || (isGlob(last) && last !== '**');
  return normalPath((isFile ? segments.slice(0, -1) : segments).join('/'));
}

/** The directory above the first glob. */
export function fixedPart(folder: string): string {
  const segments = folder.split('/');
  const glob = segments.findIndex(isGlob);
  return glob < 0 ? folder : normalPath(segments.slice(0, glob).join('/'));
}

/** Folders further down than the directories that are mounted for them, as segments. */
export function deeperFolders(paths: string, directories: readonly string[]): readonly (readonly string[])[] {
  const folders = new Set(listedPaths(paths).map(folderOf));
  return [...folders].filter((folder) => !directories.includes(folder)).map((folder) => folder.split('/'));
}

/** Whether a folder is there or further down. A glob stands for any name: more is seen than there is to ship, never less. */
export function leadsInto(folder: readonly string[], directory: string): boolean {
  for (const [index, name] of directory.split('/').entries()) {
    const segment = folder[index];
    if (segment === '**') return true;
    if (segment === undefined || (segment !== name && !isGlob(segment))) return false;
  }
  return true;
}

function isGlob(segment: string): boolean {
  return /[*?[\\]/.test(segment);
}

/** `.profile` and `backup.` have none. Of `/srv/v1.2/` the last segment is empty: the slash says that it is a directory. */
function hasExtension(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1;
}
