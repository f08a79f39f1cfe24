import { isQuantity } from '../../kube/quantity.ts';
import { logDirectories } from './log-directories.ts';
import { type LogDirectory, logDirectory } from './log-directory.ts';
import { deeperFolders } from './log-folders.ts';
import type { Parsed } from './parsed.ts';

/** A kind of value that an annotation, or a setting in its place, may have. */
export type ValueKind<T> = (text: string) => Parsed<T>;

export interface LogPath {
  /** As it was given: Filebeat reads the paths, we mount their directories. */
  readonly text: string;
  readonly directories: readonly LogDirectory[];
  /** Folders inside them that the paths lead to, as segments; globs among them. */
  readonly deeper: readonly (readonly string[])[];
}

export const logPath: ValueKind<LogPath> = (text) => {
  const parsed = logDirectories(text);
  if ('expected' in parsed) return parsed;
  const directories = parsed.value.map((path) => logDirectory(path));
  return { value: { text, directories, deeper: deeperFolders(text, parsed.value) } };
};

/** The API server refuses an image with blanks around it, and no registry has one inside. */
export const image = matching(/^\S+$/, 'the name of an image');

export const configMapName = matching(
  /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
  'the name of a ConfigMap: lower-case letters, digits, "-" and "."',
);

export const positiveInteger = matching(/^[1-9]\d{0,8}$/, 'a whole number of at least 1');

/** Filebeat takes zero and less as "do not split batches". */
export const integer = matching(/^(0|-?[1-9]\d{0,8})$/, 'a whole number');

export const quantity: ValueKind<string> = (text) =>
  isQuantity(text) && !text.startsWith('-')
    ? { value: text }
    : { expected: 'a quantity such as 100m, 0.5, 128Mi or 1Gi' };

export const lifecycleType = oneOf(['exec', 'httpget']);

export const command: ValueKind<readonly string[]> = (text) => {
  const value = text.split(',').map((part) => part.trim());
  return value.includes('')
    ? { expected: 'a command and its arguments, comma-separated, such as sh,-c,sleep 15' }
    : { value };
};

export const urlPath = matching(/^\/\S*$/, 'a path that begins with "/"');

/** A number, or a name as Kubernetes has it (IANA_SVC_NAME). */
export const port: ValueKind<string | number> = (text) => {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number >= 1 && number <= 65535) return { value: number };
  return /^(?=.{1,15}$)(?=.*[a-z])[a-z0-9]+(-[a-z0-9]+)*$/.test(text)
    ? { value: text }
    : { expected: 'a port number from 1 to 65535, or a port name of up to 15 lower-case letters and digits' };
};

export const scheme = oneOf(['HTTP', 'HTTPS']);

function matching(pattern: RegExp, expected: string): ValueKind<string> {
  return (text) => (pattern.test(text) ? { value: text } : { expected });
}

function oneOf<const T extends string>(values: readonly T[]): ValueKind<T> {
  return (text) => {
    const value = values.find((candidate) => candidate.toLowerCase() === text.toLowerCase());
    return value === undefined ? { expected: values.join(' or ') } : { value };
  };
}
