import { fixedPart, folderOf, listedPaths } from './log-folders.ts';
import { whyNoVolume } from './no-place.ts';
import { type Parsed, quoted } from './parsed.ts';
import { isInside } from './paths.ts';

/** Each directory is a volume and a mount in every container; a list beyond this is a mistake. */
const MOST_DIRECTORIES = 32;

/**
 * The directories to mount for a comma-separated list of paths and globs: sorted, each once, none inside another. A
 * glob or a file name with an extension stands for the directory it is in, anything else for itself.
 */
export function logDirectories(paths: string): Parsed<readonly string[]> {
  const folders = new Set<string>();
  const directories = new Set<string>();
  for (const path of listedPaths(paths)) {
    const folder = folderOf(path);
    const directory = fixedPart(folder);
    const expected = refusal(path, directory);
    if (expected !== undefined) return { expected };
    folders.add(folder);
    directories.add(directory);
  }
  if (folders.size === 0) return { expected: 'at least one path, such as /var/log/*.log' };
  if (folders.size > MOST_DIRECTORIES)
    return { expected: `paths in at most ${MOST_DIRECTORIES} directories` };
  return { value: withoutNested(directories) };
}

function refusal(path: string, directory: string): string | undefined {
  if (path.lastIndexOf('{') > path.lastIndexOf('}'))
    return 'every path on its own, since Filebeat does not know {a,b}';
  if (!path.startsWith('/')) return `absolute paths, but ${quoted(path)} is relative`;
  if (directory === '/') return `paths below a directory, but ${quoted(path)} would need a volume at "/"`;
  if (/:|(^|\/)\.\.(\/|$)/.test(directory)) return `paths without ":" and "..", unlike ${quoted(path)}`;
  const reason = whyNoVolume(directory);
  return reason && `paths elsewhere: ${reason}`;
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
