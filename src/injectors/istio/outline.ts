import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { plainYaml, readPart } from './plain-yaml.ts';
import type { Part } from './plain-yaml-lines.ts';

/**
 * A YAML text that was read, and where its values stand. What one template renders to differs from Pod to Pod in a few
 * values: only those are read then, and all other parts of the document are the very same objects.
 */
export interface Outline {
  readonly text: string;
  readonly lines: readonly string[];
  readonly parts: readonly (Part | undefined)[];
  readonly document: JsonObject;
  /** The values that have differed so far. */
  varying: Varying;
}

interface Varying {
  readonly parts: readonly Part[];
  /** The text before each of them, and after the last. */
  readonly between: readonly string[];
}

/** Undefined where the text is not of the plain kind, or says something twice. */
export function outlineOf(text: string): Outline | undefined {
  const parts: (Part | undefined)[] = [];
  const document = plainYaml(text, parts);
  if (!isJsonObject(document)) return undefined;
  return { text, lines: text.split('\n'), parts, document, varying: { parts: [], between: [text] } };
}

/** What a text says that differs from the outline's in nothing but values of the same kinds. Undefined for any other. */
export function reread(outline: Outline, text: string): JsonObject | undefined {
  return readVarying(outline, outline.varying, text);
}

/** The same for a text that differs in other values than before: from now on they may. */
export function rereadAnew(outline: Outline, text: string): JsonObject | undefined {
  const varying = alsoVarying(outline, text.split('\n'));
  const document = varying && readVarying(outline, varying, text);
  if (varying !== undefined && document !== undefined) outline.varying = varying;
  return document;
}

function readVarying(
  { document }: Outline,
  { parts, between }: Varying,
  text: string,
): JsonObject | undefined {
  const copies = new Set<Json>();
  let next: Json = document;
  let at = 0;
  for (let index = 0; index < parts.length; index++) {
    const before = between[index] as string;
    const part = parts[index] as Part;
    const start = at + before.length;
    // Many times as fast as startsWith.
    if (text.slice(at, start) !== before) return undefined;
    at = endOfLines(text, start, part.last - part.first + 1);
    const value = readPart(text.slice(start, at), part.parent);
    if (value === undefined || !sameKind(value, valueAt(document, part.path))) return undefined;
    next = withValue(next, part.path, 0, value, copies);
  }
  return text.slice(at) === between[parts.length] ? (next as JsonObject) : undefined;
}

function endOfLines(text: string, start: number, count: number): number {
  let end = start - 1;
  for (let line = 0; line < count; line++) {
    end = text.indexOf('\n', end + 1);
    if (end < 0) return text.length;
  }
  return end;
}

function alsoVarying(
  { text, lines: known, parts, varying }: Outline,
  lines: readonly string[],
): Varying | undefined {
  if (lines.length !== known.length) return undefined;
  const all = new Set(varying.parts);
  for (let at = 0; at < lines.length; at++) {
    if (lines[at] === known[at]) continue;
    const part = parts[at];
    if (part === undefined) return undefined;
    all.add(part);
  }
  const sorted = [...all].sort((one, other) => one.first - other.first);
  const between: string[] = [];
  let end = 0;
  for (const { first, last, column } of sorted) {
    between.push(text.slice(end, startOf(known, first) + column));
    end = startOf(known, last + 1) - 1;
  }
  return { parts: sorted, between: [...between, text.slice(end)] };
}

function startOf(lines: readonly string[], index: number): number {
  return lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);
}

function valueAt(document: Json, path: Part['path']): Json | undefined {
  let value: Json | undefined = document;
  for (const key of path) value = (value as Record<string, Json>)[key];
  return value;
}

/** Types are checked for the first of those that share an outline, and hold for the others. */
function sameKind(one: Json, other: Json | undefined): boolean {
  if (isJsonArray(one)) {
    return (
      isJsonArray(other) && one.length === other.length && one.every((item, at) => sameKind(item, other[at]))
    );
  }
  if (isJsonObject(one)) {
    const keys = Object.keys(one);
    return (
      isJsonObject(other) &&
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && sameKind(one[key] as Json, other[key]))
    );
  }
  return typeof one === typeof other && (one === null) === (other === null);
}

/** Sets a value, copying on the way what was not copied for an earlier one. */
function withValue(node: Json, path: Part['path'], depth: number, value: Json, copies: Set<Json>): Json {
  const key = path[depth];
  if (key === undefined) return value;
  const copy = copies.has(node) ? node : isJsonArray(node) ? node.slice() : { ...(node as JsonObject) };
  copies.add(copy);
  const children = copy as Record<string | number, Json>;
  children[key] = withValue(children[key] as Json, path, depth + 1, value, copies);
  return copy;
}
