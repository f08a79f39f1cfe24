import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, type Json } from '../json/json.ts';
import { asStored } from '../kube/as-stored.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { readYaml } from '../yaml/read-yaml.ts';
import { splitDocuments } from '../yaml/split-documents.ts';
import { YamlInvalid } from '../yaml/yaml-invalid.ts';

/** The manifests below a path: a file itself, or a folder's YAML and JSON files, in the order of their names. */
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

/** Every object in files and folders, Lists taken apart. */
export function readManifests(paths: readonly string[]): KubeObject[] {
  return paths
    .flatMap((path) => attempt(() => manifestFiles(path), path))
    .flatMap((file) =>
      parseManifests(
        attempt(() => readFileSync(file, 'utf8'), file),
        file,
      ),
    )
    .map(asStored);
}

/** Every object in a YAML or JSON text; `file` is for errors. */
export function parseManifests(text: string, file: string): KubeObject[] {
  return splitDocuments(text).flatMap((document) => {
    const value = parse(document.text, document.line, file);
    return value === null ? [] : unpackList(value, `${file}:${document.line}`);
  });
}

function parse(text: string, line: number, file: string): Json {
  try {
    return readYaml(text, line);
  } catch (cause) {
    if (!(cause instanceof YamlInvalid)) throw cause;
    throw new PodgraftError('CLUSTER_FILE_INVALID', `${file}:${cause.line}: ${cause.why}`, { cause });
  }
}

function unpackList(value: Json, place: string): KubeObject[] {
  if (!isJsonObject(value)) throw invalid(place, 'expected a Kubernetes object');
  if (typeof value.apiVersion !== 'string' || typeof value.kind !== 'string') {
    throw invalid(place, 'expected a Kubernetes object with apiVersion and kind');
  }
  if (value.kind.endsWith('List') && Array.isArray(value.items)) {
    return value.items.flatMap((item: Json) => unpackList(item, place));
  }
  if (value.metadata !== undefined && !isJsonObject(value.metadata))
    throw invalid(place, 'metadata is not a map');
  return [{ ...value, metadata: value.metadata ?? {} } as unknown as KubeObject];
}

function attempt<T>(read: () => T, path: string): T {
  try {
    return read();
  } catch (cause) {
    const message = `Cannot read "${path}": ${whyUnreadable(cause)}`;
    throw new PodgraftError('CLUSTER_FILE_INVALID', message, { cause });
  }
}

/** Why the operating system does not give a file or a folder. */
export function whyUnreadable(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  return code === 'ENOENT' ? 'no such file or folder' : message;
}

function invalid(place: string, message: string): PodgraftError {
  return new PodgraftError('CLUSTER_FILE_INVALID', `Cannot read ${place}: ${message}`);
}
