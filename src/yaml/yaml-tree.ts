import type { Scalar } from 'yaml';
import type { Json } from '../json/json.ts';

/** A YAML document, parsed once for reading and editing. */
export interface YamlDocument {
  readonly text: string;
  /** The line of its file on which the text begins, from 1. */
  readonly line: number;
  /** The content as JSON: aliases resolved, merge keys applied. */
  readonly value: Json;
  readonly root: YamlNode;
  readonly aliases: readonly YamlAlias[];
  /** Block scalars such as `|+`, which include the blank lines that follow them. */
  readonly keepScalars: readonly YamlScalar[];
}

export type YamlNode = YamlScalar | YamlAlias | YamlCollection;

interface Positioned {
  /** The start of its content, after its properties (`&anchor`, `!tag`). */
  readonly start: number;
  /** The end of its content, without comments and blank lines that follow. */
  readonly end: number;
  readonly notes: Notes | undefined;
}
/** Comments that are printed with a node if it is copied. Most nodes have none. */
export interface Notes {
  readonly comment?: string | undefined;
  readonly commentBefore?: string | undefined;
  readonly spaceBefore?: boolean | undefined;
}

export interface YamlScalar extends Positioned {
  readonly kind: 'scalar';
  readonly value: null | boolean | number | string;
  readonly type: Scalar.Type | undefined;
}
export interface YamlAlias extends Positioned {
  readonly kind: 'alias';
  readonly value: Json;
  readonly target: YamlScalar | YamlCollection;
}
export interface YamlCollection extends Positioned {
  readonly kind: 'map' | 'seq';
  readonly value: Json;
  readonly isFlow: boolean;
  readonly entries: readonly YamlEntry[];
}

/** A pair of a map or an item of a sequence. */
export interface YamlEntry {
  readonly index: number;
  /** Undefined for an item. */
  readonly key: YamlNode | undefined;
  /** The key as a string; undefined for an item and for the merge key `<<`. */
  readonly name: string | undefined;
  readonly node: YamlNode;
  /** The start of its dash, its key, or the properties of its key. */
  readonly start: number;
  /** The end of the `-` or `:` before the value; undefined for an item of a flow sequence and for a key without a colon. */
  readonly indicatorEnd: number | undefined;
  /** The start of the value or its properties; the end of the indicator if the value is not written. */
  readonly valueStart: number;
  /** The end of its last character, without comments. */
  readonly end: number;
}

export function isCollection(node: YamlNode): node is YamlCollection {
  return node.kind === 'map' || node.kind === 'seq';
}

/** The entries of a map by name: its own, and those that it merges in and does not override. */
export function effectiveEntries(map: YamlNode): Map<string, YamlEntry> {
  const entries = new Map<string, YamlEntry>();
  for (const entry of map.kind === 'map' ? map.entries : []) {
    if (entry.name !== undefined) {
      entries.set(entry.name, entry);
      continue;
    }
    for (const [name, merged] of mergeSources(entry.node).flatMap((source) => [...effectiveEntries(source)]))
      if (!entries.has(name)) entries.set(name, merged);
  }
  return entries;
}

/** The nodes that a merge key refers to. */
export function mergeSources(node: YamlNode): YamlAlias['target'][] {
  const value = resolveAlias(node);
  return value.kind === 'seq' ? value.entries.map((entry) => resolveAlias(entry.node)) : [value];
}

export function resolveAlias(node: YamlNode): YamlAlias['target'] {
  return node.kind === 'alias' ? node.target : node;
}
