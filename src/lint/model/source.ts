import type { Pointer } from '../../json/pointer.ts';
import type { KubeObject } from '../../kube/kube-object.ts';
import { lineAt } from '../../yaml/line-at.ts';
import type { TextPosition } from '../../yaml/text-position.ts';
import type { YamlDocument } from '../../yaml/yaml-tree.ts';

/** An object and where it comes from. */
export interface Source {
  readonly object: KubeObject;
  /** Absent for an object that was read from a cluster. */
  readonly origin?: Origin;
}

export interface Origin {
  readonly file: string;
  readonly document: YamlDocument;
  /** The path of the object in the document: empty, or that of an item of a List. */
  readonly at: Pointer;
}

/** `Deployment "shop/web"`. */
export function titleOf({ object: { kind, metadata } }: Source): string {
  const { namespace, name = metadata.generateName ?? '' } = metadata;
  return `${kind} "${namespace === undefined ? name : `${namespace}/${name}`}"`;
}

/** Where a path of the object is written; undefined for an object of a cluster. */
export function positionOf({ origin }: Source, path: Pointer): (TextPosition & { file: string }) | undefined {
  if (origin === undefined) return undefined;
  return { file: origin.file, ...lineAt(origin.document, origin.at + path) };
}
