import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json } from '../json/json.ts';
import { asStored } from '../kube/as-stored.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { parseDocuments, YamlInvalid } from '../yaml/parse-document.ts';
import type { YamlDocument } from '../yaml/yaml-tree.ts';

/** The manifest files of a path: the file itself, or a folder's YAML and JSON files, sorted by name. */
export function manifestFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const child = join(path, entry.name);
      if (entry.isDirectory()) return manifestFiles(child);
      return /\.(ya?ml|json)$/.test(entry.name) ? [child] : [];
    });
}

/** The files whose changes may change the manifests of a path. Each folder has one more, which never exists, so that new files are noticed. */
export function watchedManifests(path: string): string[] {
  try {
    return [...manifestFiles(path), ...foldersIn(path).map((folder) => join(folder, '*'))];
  } catch {
    // Reading the objects reports it.
    return [path];
  }
}

function foldersIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [];
  const below = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [path, ...below.flatMap(({ name }) => foldersIn(join(path, name)))];
}

export interface PlacedObject {
  readonly object: KubeObject;
  /** File and line, for messages. */
  readonly place: string;
}

/** Every object in these files and folders, with Lists unpacked. */
export function readManifests(paths: readonly string[]): KubeObject[] {
  return readPlacedManifests(paths).map(({ object }) => object);
}

export function readPlacedManifests(paths: readonly string[]): PlacedObject[] {
  return paths
    .flatMap((path) => attempt(path, manifestFiles))
    .flatMap((file) => parsePlaced(attempt(file, readText), file))
    .map(({ object, place }) => ({ object: asStored(object), place }));
}

/** Every object in a YAML or JSON text, with Lists unpacked. Errors name `file`. */
export function parseManifests(text: string, file: string): KubeObject[] {
  return parsePlaced(text, file).map(({ object }) => object);
}

function parsePlaced(text: string, file: string): PlacedObject[] {
  return parse(text, file).flatMap(({ value, line }) => {
    const place = `${file}:${line}`;
    return value === null ? [] : unpackList(value, place).map((object) => ({ object, place }));
  });
}

function attempt<T>(path: string, read: (path: string) => T): T {
  try {
    return read(path);
  } catch (cause) {
    throw new PodgraftError('CLUSTER_FILE_INVALID', `Cannot read "${path}": ${whyUnreadable(cause)}`, {
      cause,
    });
  }
}

function readText(file: string): string {
  return readFileSync(file, 'utf8');
}

/** Why a file or folder cannot be read. */
export function whyUnreadable(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'no such file or folder' : message;
}

function parse(text: string, file: string): YamlDocument[] {
  try {
    return parseDocuments(text);
  } catch (cause) {
    if (!(cause instanceof YamlInvalid)) throw cause;
    throw new PodgraftError('CLUSTER_FILE_INVALID', `${file}:${cause.line}: ${cause.why}`, { cause });
  }
}

function unpackList(value: Json, place: string): KubeObject[] {
  const invalid = (message: string) =>
    new PodgraftError('CLUSTER_FILE_INVALID', `Cannot read ${place}: ${message}`);
  if (!isJsonObject(value)) throw invalid('expected a Kubernetes object');
  const { apiVersion, kind, metadata = {}, items } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw invalid('expected a Kubernetes object with apiVersion and kind');
  }
  if (kind.endsWith('List') && Array.isArray(items)) {
    return items.flatMap((item: Json) => unpackList(item, place));
  }
  if (!isJsonObject(metadata)) throw invalid('metadata is not a map');
  return [{ ...value, metadata } as unknown as KubeObject];
}
