import { type Parsed, quoted } from './parsed.ts';

/** Where the image keeps Filebeat itself: a volume here, or above, would hide it. */
export const FILEBEAT_HOME = '/usr/share/filebeat';

/** Each directory is a volume and a mount in every container; a list beyond this is a mistake. */
const MOST_DIRECTORIES = 32;

/**
 * The directories to mount for a comma-separated list of paths and globs: sorted, each once, none inside another. A
 * glob or a file name with an extension stands for the directory it is in, anything else for itself.
 */
export function logDirectories(paths: string): Parsed<readonly string[]> {
  const directories = new Set<string>();
  for (const item of paths.split(',')) {
    const path = item.trim();
    if (path === '') continue;
    const directory = directoryOf(path);
    const expected = refusal(path, directory);
    if (expected !== undefined) return { expected };
    directories.add(directory);
  }
  const value = withoutNested(directories);
  if (value.length === 0) return { expected: 'at least one path, such as /var/log/*.log' };
  if (value.length > MOST_DIRECTORIES)
    return { expected: `paths in at most ${MOST_DIRECTORIES} directories` };
  return { value };
}

/** One path without `//`, `/./` and a slash at the end, so that two ways to write it are the same. */
export function normalPath(path: string): string {
  // Nearly all are that way already, and every mount of every container is looked at.
  if (path.startsWith('/') && !path.endsWith('/') && !path.includes('//') && !path.includes('/.'))
    return path;
  return `/${path
    .split('/')
    .filter((segment) => segment !== '' && segment !== '.')
    .join('/')}`;
}

export function isInside(path: string, directory: string): boolean {
  return path.startsWith(directory) && path[directory.length] === '/';
}

function directoryOf(path: string): string {
  const segments = path.split('/');
  const glob = segments.findIndex((segment) => /[*?[\\]/.test(segment));
  if (glob >= 0) return normalPath(segments.slice(0, glob).join('/'));
  return normalPath((hasExtension(segments.at(-1) ?? '') ? segments.slice(0, -1) : segments).join('/'));
}

/** `.profile` and `backup.` have none. Of `/srv/v1.2/` the last segment is empty: the slash says that it is a directory. */
function hasExtension(name: string): boolean {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1;
}

function refusal(path: string, directory: string): string | undefined {
  if (!path.startsWith('/')) return `absolute paths, but ${quoted(path)} is relative`;
  if (directory === '/') return `paths below a directory, but ${quoted(path)} would need a volume at "/"`;
  if (/:|(^|\/)\.\.(\/|$)/.test(directory)) return `paths without ":" and "..", unlike ${quoted(path)}`;
  if (directory === FILEBEAT_HOME || isInside(FILEBEAT_HOME, directory)) {
    return `paths elsewhere: a volume at ${quoted(directory)} would hide Filebeat itself`;
  }
  return undefined;
}

/** With a slash at the end, all that is inside a directory sorts right behind it. */
function withoutNested(directories: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (const slashed of [...directories].map((directory) => `${directory}/`).sort()) {
    const directory = slashed.slice(0, -1);
    const last = kept.at(-1);
    if (last === undefined || !isInside(directory, last)) kept.push(directory);
  }
  return kept;
}
