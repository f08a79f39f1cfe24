import { mountObstacle, normalPath } from './paths.ts';
import { type Parsed, quoted } from './value-parsers.ts';

export interface LogPath {
  /** As given: Filebeat expands the globs, the injector mounts the directories. */
  readonly text: string;
  /** The directories to mount: sorted, unique, none inside another. */
  readonly directories: readonly string[];
  /** Folders below them that contain listed files, as segments; a segment may be a glob. */
  readonly subfolders: readonly (readonly string[])[];
}

/** Each directory is a volume, and a mount in every container: a longer list is a mistake. */
const MAX_DIRECTORIES = 32;

/** Parses a comma-separated list of files, directories and globs. */
export function parseLogPath(text: string): Parsed<LogPath> {
  const folders = new Set<string>();
  for (const path of listedPaths(text)) {
    const folder = folderOf(path);
    const expected = expectation(path, fixedPart(folder));
    if (expected !== undefined) return { expected };
    folders.add(folder);
  }
  if (folders.size === 0) return { expected: 'at least one path, such as /var/log/*.log' };
  if (folders.size > MAX_DIRECTORIES) return { expected: `paths in at most ${MAX_DIRECTORIES} directories` };
  const directories = outermost([...folders].map(fixedPart));
  const subfolders = [...folders].filter((folder) => !directories.includes(folder));
  return { value: { text, directories, subfolders: subfolders.map((folder) => folder.split('/')) } };
}

export function listedPaths(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  return items.filter((path) => path !== '');
}

/** The folder of a path's files. A glob or a name with an extension is a file; anything else is a directory. */
function folderOf(path: string): string {
  const segments = path.split('/');
  const last = segments.at(-1) ?? '';
  const isFile = hasExtension(last) || (isGlob(last) && last !== '**');
  return normalPath((isFile ? segments.slice(0, -1) : segments).join('/'));
}

/** The directory above the first glob. */
function fixedPart(folder: string): string {
  const segments = folder.split('/');
  const glob = segments.findIndex(isGlob);
  return glob < 0 ? folder : normalPath(segments.slice(0, glob).join('/'));
}

/** What was expected instead of an invalid path; undefined for a valid one. */
function expectation(path: string, directory: string): string | undefined {
  if (path.lastIndexOf('{') > path.lastIndexOf('}'))
    return 'separate paths, because Filebeat does not support {a,b}';
  if (!path.startsWith('/')) return `absolute paths, but ${quoted(path)} is relative`;
  if (directory === '/') return `paths below a directory, but ${quoted(path)} would need a volume at "/"`;
  if (directory.includes(':') || directory.split('/').includes('..'))
    return `paths without ":" and "..", found ${quoted(path)}`;
  const obstacle = mountObstacle(directory);
  return obstacle && `paths in other directories: ${obstacle}`;
}

function outermost(directories: readonly string[]): string[] {
  const kept: string[] = [];
  // With a slash at the end, the contents of a directory sort right behind it.
  for (const slashed of directories.map((directory) => `${directory}/`).sort()) {
    const last = kept.at(-1);
    if (last === undefined || !slashed.startsWith(last)) kept.push(slashed);
  }
  return kept.map((slashed) => slashed.slice(0, -1));
}

export function isGlob(segment: string): boolean {
  return /[*?[\\]/.test(segment);
}

/** Not for `.profile`, `backup.` or `/srv/v1.2/`, whose last segment is empty. */
function hasExtension(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1;
}
