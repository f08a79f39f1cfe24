import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import { asStored } from '../kube/as-stored.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { parseDocuments } from '../yaml/parse-document.ts';
import type { YamlDocument } from '../yaml/yaml-tree.ts';
import type { Source } from './model/source.ts';

export interface ParsedFile {
  /** Their texts, joined, are the text of the file. */
  readonly documents: readonly YamlDocument[];
  readonly sources: readonly Source[];
}

/** Every Kubernetes object in a YAML or JSON text, with Lists unpacked. Other documents, such as Helm values, are left out. */
export function parseSources(text: string, file: string): ParsedFile {
  const documents = parseDocuments(text);
  const sources = documents.flatMap((document) =>
    objectsIn(document.value, '').map(({ object, at }) => ({ object, origin: { file, document, at } })),
  );
  return { documents, sources };
}

function objectsIn(value: Json, at: Pointer): { object: KubeObject; at: Pointer }[] {
  if (!isJsonObject(value)) return [];
  const { apiVersion, kind, metadata, items } = value;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') return [];
  if (kind.endsWith('List') && isJsonArray(items)) {
    return items.flatMap((item, index) => objectsIn(item, `${at}/items/${index}`));
  }
  // A helper file such as a kustomization has no metadata.
  const object = { ...value, metadata: isJsonObject(metadata) ? metadata : {} } as unknown as KubeObject;
  return [{ object: asStored(object), at }];
}
