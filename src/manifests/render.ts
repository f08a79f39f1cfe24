import { Document, isMap, isNode, isScalar, type Node } from 'yaml';
import type { FieldComment, Manifest } from './manifest.ts';

/** Multi-document YAML with the comments. */
export function renderYaml(manifests: readonly Manifest[]): string {
  return manifests.map(renderDocument).join('');
}

/** A List: JSON has no documents, and no comments. */
export function renderJson(manifests: readonly Manifest[]): string {
  const items = manifests.map(({ object }) => object);
  return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`;
}

function renderDocument({ object, purpose, comments = [] }: Manifest): string {
  const document = new Document(object, { aliasDuplicateObjects: false });
  for (const comment of comments) attach(document, comment);
  const head = purpose === undefined ? '' : `${hashed(purpose)}\n`;
  return `---\n${head}${document.toString({ lineWidth: 0 })}`;
}

/** Above the key, or above the item of a list. A field that is left out needs no comment. */
function attach(document: Document, [path, words]: FieldComment): void {
  const parent = document.getIn(path.slice(0, -1), true);
  const last = path.at(-1);
  const node = isMap(parent)
    ? parent.items.find(({ key }) => isScalar(key) && key.value === last)?.key
    : document.getIn(path, true);
  if (isNode(node)) (node as Node).commentBefore = words.replaceAll(/^/gm, ' ');
}

function hashed(words: string): string {
  return words.replaceAll(/^/gm, '# ');
}
