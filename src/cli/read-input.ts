import { readFileSync } from 'node:fs';
import { objectsIn } from '../files/objects-in.ts';
import { manifestFiles, whyUnreadable } from '../files/read-manifests.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import { valueAt } from '../json/value-at.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { podDefect } from '../kube/pod-defect.ts';
import { templatePathOf } from '../kube/workload.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { parseDocuments, YamlInvalid } from '../yaml/parse-document.ts';
import type { YamlDocument } from '../yaml/yaml-tree.ts';

/** A file; the texts of its documents, joined, are its text. */
export interface InputFile {
  readonly name: string;
  readonly documents: readonly InputDocument[];
}

export interface InputDocument {
  readonly yaml: YamlDocument;
  readonly objects: readonly InputObject[];
}

export interface InputObject {
  readonly object: KubeObject;
  /** Its path in the document: empty, or that of an item of a List. */
  readonly at: Pointer;
  /** File and line, for messages. */
  readonly place: string;
}

/** Reads files, folders and `-`. A file with an error is reported and left out as a whole. */
export function readInput(paths: readonly string[], report: (error: PodgraftError) => void): InputFile[] {
  return paths.flatMap((path) => {
    const files = attempt(() => filesOf(path), report) ?? [];
    return files.flatMap((file) => attempt(() => readFile(file), report) ?? []);
  });
}

function filesOf(path: string): string[] {
  if (path === '-') return ['-'];
  try {
    const files = manifestFiles(path);
    if (files.length > 0) return files;
  } catch (cause) {
    throw unreadable(path, cause);
  }
  throw new PodgraftError('INPUT_INVALID', `${path}: no YAML or JSON file in this folder`);
}

function readFile(file: string): InputFile {
  const name = file === '-' ? 'standard input' : file;
  const documents = parse(readText(file, name), name).map((yaml) => ({
    yaml,
    objects: objectsOf(yaml, `${name}:${yaml.line}`),
  }));
  if (documents.every(({ yaml }) => yaml.value === null)) throw invalid(name, 'no Kubernetes object found');
  return { name, documents };
}

function readText(file: string, name: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (cause) {
    throw unreadable(name, cause);
  }
}

function parse(text: string, name: string): YamlDocument[] {
  try {
    return parseDocuments(text);
  } catch (cause) {
    if (!(cause instanceof YamlInvalid)) throw cause;
    throw new PodgraftError('INPUT_INVALID', `${name}:${cause.line}: ${cause.why}`, { cause });
  }
}

function objectsOf({ value }: YamlDocument, place: string): InputObject[] {
  const refuse = (detail: string) => invalid(place, detail);
  return objectsIn(value, refuse).map(({ object, at }) => {
    const problem = problemOf(object);
    if (problem !== undefined) throw refuse(`${object.kind}: ${problem}`);
    return { object, at, place };
  });
}

function problemOf(object: KubeObject): string | undefined {
  if (object.kind === 'Pod' && object.apiVersion === 'v1') return podProblem(asJson(object));
  const path = templatePathOf(object);
  const template = path === undefined ? undefined : valueAt(asJson(object), path);
  const problem = isJsonObject(template) ? podProblem(template) : undefined;
  return problem && `${(path ?? '').slice(1).replaceAll('/', '.')}.${problem}`;
}

/** On a cluster, another webhook may still add containers; a file should have some. */
function podProblem(pod: JsonObject): string | undefined {
  const defect = podDefect(pod);
  if (defect !== undefined) return defect;
  return isJsonObject(pod.spec) && isJsonArray(pod.spec.containers)
    ? undefined
    : 'spec.containers is missing';
}

function attempt<T>(read: () => T, report: (error: PodgraftError) => void): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof PodgraftError)) throw error;
    report(error);
    return undefined;
  }
}

function unreadable(name: string, cause: unknown): PodgraftError {
  return new PodgraftError('INPUT_INVALID', `${name}: ${whyUnreadable(cause)}`, { cause });
}

function invalid(place: string, detail: string): PodgraftError {
  return new PodgraftError('INPUT_INVALID', `${place}: ${detail}`);
}
