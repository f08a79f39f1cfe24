import { isJsonArray, isJsonObject, type Json } from '../../json/json.ts';
import { member, setMember } from '../../json/member.ts';
import { goArrayIndex, sizedIndex } from './go-index.ts';
import { goJsonText, parseRawJson, type RawJson } from './raw-json.ts';

/** One operation as it was sent. Any member may be missing. */
export interface GoOperation {
  readonly op?: Json;
  readonly path?: Json;
  readonly from?: Json;
  /** Undefined if there is none, which means null. */
  readonly value?: Json | undefined;
  /** The text of the value, which `test` compares. */
  readonly raw?: RawJson | undefined;
}

export type Patched = { readonly value: Json } | { readonly error: string; readonly isTest: boolean };

/**
 * Applies a patch as the API server does: the dialect of the Go library github.com/evanphx/json-patch, version 4, with its messages.
 * It differs from RFC 6902: `replace` of a missing member adds it, indices may be negative, `test` compares text.
 */
export function applyGoPatch(document: Json, operations: readonly GoOperation[]): Patched {
  const draft = new Draft(document as Mutable);
  try {
    for (const operation of operations) apply(draft, operation);
    return { value: draft.root as Json };
  } catch (error) {
    if (error instanceof PatchFailure) return { error: error.message, isTest: error.isTest };
    throw error;
  }
}

/** The operations of a patch text; otherwise the error of Go's decoder. */
export function parseGoPatch(
  text: string,
): { readonly operations: readonly GoOperation[] } | { readonly error: string } {
  let values: Json;
  try {
    values = JSON.parse(text) as Json;
  } catch {
    return { error: syntaxError(text) };
  }
  if (values === null) return { operations: [] };
  if (!isJsonArray(values)) return { error: typeError(values, 'jsonpatch.Patch') };
  const wrong = values.find((value) => value !== null && !isJsonObject(value));
  if (wrong !== undefined) return { error: typeError(wrong, 'jsonpatch.Operation') };
  const operations = values as readonly (GoOperation | null)[];
  // Only `test` uses the text of values.
  const raw = operations.some((operation) => operation?.op === 'test') ? parseRawJson(text) : undefined;
  if (raw === undefined) return { operations: operations.map((operation) => operation ?? {}) };
  return {
    operations: operations.map((operation, index) => {
      const item = raw.kind === 'array' ? raw.items[index] : undefined;
      const value = item?.kind === 'object' ? item.members.get('value') : undefined;
      return value === undefined ? { ...operation } : { ...operation, raw: value };
    }),
  };
}

function syntaxError(text: string): string {
  const first = text.trim()[0];
  return first === undefined
    ? 'unexpected end of JSON input'
    : `invalid character '${first}' looking for beginning of value`;
}

function typeError(value: Json, type: string): string {
  const found = isJsonArray(value) ? 'array' : isJsonObject(value) ? 'object' : JSON_NAMES[typeof value];
  return `json: cannot unmarshal ${found} into Go value of type ${type}`;
}

const JSON_NAMES: { readonly [type: string]: string } = {
  string: 'string',
  number: 'number',
  boolean: 'bool',
};

function isNull(raw: RawJson): boolean {
  return raw.kind === 'scalar' && raw.text === 'null';
}

class PatchFailure extends Error {
  readonly isTest: boolean;

  constructor(message: string, isTest = false) {
    super(message);
    this.isTest = isTest;
  }
}

/** Copies a container when a path first leads through it: the document is shared, and a long patch takes linear time. */
class Draft {
  root: Mutable;
  readonly #own = new WeakSet<object>();

  constructor(document: Mutable) {
    this.root = document;
  }

  /** The container of a path's last part; what precedes the first slash is ignored. */
  find(path: string): Place | undefined {
    const parts = path.split('/');
    if (parts.length < 2 || !isContainer(this.root)) return undefined;
    let node = this.#owned(this.root);
    this.root = node;
    for (let depth = 1; depth < parts.length - 1; depth++) {
      const place = { container: node, key: decoded(parts[depth] as string) };
      const child = get(place);
      if (child === undefined || child instanceof PatchFailure || !isContainer(child)) return undefined;
      node = this.#owned(child);
      if (node !== child) setAt(place, node);
    }
    return { container: node, key: decoded(parts.at(-1) as string) };
  }

  #owned(container: Place['container']): Place['container'] {
    if (this.#own.has(container)) return container;
    const copy = Array.isArray(container) ? [...container] : { ...container };
    this.#own.add(copy);
    return copy;
  }
}

type Mutable = null | boolean | number | string | Mutable[] | { [key: string]: Mutable };

function apply(draft: Draft, operation: GoOperation): void {
  switch (operation.op) {
    case 'add':
      return add(draft, operation);
    case 'remove':
      return remove(draft, operation);
    case 'replace':
      return replace(draft, operation);
    case 'move':
      return move(draft, operation);
    case 'copy':
      return copy(draft, operation);
    case 'test':
      return test(draft, operation);
    default:
      throw new PatchFailure(
        `Unexpected kind: ${typeof operation.op === 'string' ? operation.op : 'unknown'}`,
      );
  }
}

const MISSING = 'missing value';

function add(draft: Draft, operation: GoOperation): void {
  const path = pathOf(operation, 'path', 'add operation failed to decode path');
  const place = draft.find(path);
  if (place === undefined) {
    throw new PatchFailure(`add operation does not apply: doc is missing path: "${path}": ${MISSING}`);
  }
  wrapped(`error in add for path: '${path}'`, () => addAt(place, valueIn(operation)));
}

function remove(draft: Draft, operation: GoOperation): void {
  const path = pathOf(operation, 'path', 'remove operation failed to decode path');
  const place = draft.find(path);
  if (place === undefined) {
    throw new PatchFailure(`remove operation does not apply: doc is missing path: "${path}": ${MISSING}`);
  }
  wrapped(`error in remove for path: '${path}'`, () => removeAt(place));
}

function replace(draft: Draft, operation: GoOperation): void {
  const path = pathOf(operation, 'path', 'replace operation failed to decode path');
  if (path === '') {
    draft.root = valueIn(operation);
    return;
  }
  const place = draft.find(path);
  if (place === undefined) {
    throw new PatchFailure(`replace operation does not apply: doc is missing path: ${path}: ${MISSING}`);
  }
  if (get(place) instanceof PatchFailure) {
    throw new PatchFailure(`replace operation does not apply: doc is missing key: ${path}: ${MISSING}`);
  }
  wrapped(`error in remove for path: '${path}'`, () => setAt(place, valueIn(operation)));
}

function move(draft: Draft, operation: GoOperation): void {
  const from = pathOf(operation, 'from', 'move operation failed to decode from');
  const source = draft.find(from);
  if (source === undefined) {
    throw new PatchFailure(`move operation does not apply: doc is missing from path: ${from}: ${MISSING}`);
  }
  const value = wrapped(`error in move for path: '${source.key}'`, () => got(source));
  wrapped(`error in move for path: '${source.key}'`, () => removeAt(source));
  const path = pathOf(operation, 'path', 'move operation failed to decode path');
  const target = draft.find(path);
  if (target === undefined) {
    throw new PatchFailure(
      `move operation does not apply: doc is missing destination path: ${path}: ${MISSING}`,
    );
  }
  wrapped(`error in move for path: '${path}'`, () => addAt(target, value ?? null));
}

function copy(draft: Draft, operation: GoOperation): void {
  const from = pathOf(operation, 'from', 'copy operation failed to decode from');
  const source = draft.find(from);
  if (source === undefined) {
    throw new PatchFailure(`copy operation does not apply: doc is missing from path: ${from}: ${MISSING}`);
  }
  const value = wrapped(`error in copy for from: '${from}'`, () => got(source));
  const path = pathOf(operation, 'path', 'copy operation failed to decode path');
  const target = draft.find(path);
  if (target === undefined) {
    throw new PatchFailure(
      `copy operation does not apply: doc is missing destination path: ${path}: ${MISSING}`,
    );
  }
  wrapped('error while adding value during copy', () => addAt(target, value ?? null));
}

function test(draft: Draft, operation: GoOperation): void {
  const path = pathOf(operation, 'path', 'test operation failed to decode path');
  const failed = () => new PatchFailure(`testing value ${path} failed: test failed`, true);
  const wanted = operation.raw ?? (operation.value === undefined ? undefined : toRaw(operation.value));
  if (path === '') {
    if (wanted === undefined || !equalsRaw(draft.root as Json, wanted)) throw failed();
    return;
  }
  const place = draft.find(path);
  if (place === undefined) {
    throw new PatchFailure(`test operation does not apply: is missing path: ${path}: ${MISSING}`);
  }
  const value = wrapped(`error in test for path: '${path}'`, () => got(place));
  // Go drops a null that it reads from JSON, but not one that a policy's expression made.
  const isUnset = wanted === undefined || (operation.raw !== undefined && isNull(wanted));
  if (value === undefined || value === null) {
    if (!isUnset) throw failed();
    return;
  }
  if (isUnset || !equalsRaw(value as Json, wanted)) throw failed();
}

function toRaw(value: Json): RawJson {
  return parseRawJson(JSON.stringify(value));
}

/** Compares scalars by their text; ignores members that only the patch has. */
function equalsRaw(value: Json, raw: RawJson): boolean {
  if (isJsonArray(value)) {
    if (raw.kind !== 'array' || raw.items.length !== value.length) return false;
    return value.every((item, index) => equalsRaw(item, raw.items[index] as RawJson));
  }
  if (isJsonObject(value)) {
    if (raw.kind !== 'object') return false;
    const keys = Object.keys(value);
    if (keys.length !== raw.members.size) return false;
    return keys.every((key) => {
      const other = raw.members.get(key);
      return other !== undefined && equalsRaw(value[key] as Json, other);
    });
  }
  return raw.kind === 'scalar' && goJsonText(value) === raw.text;
}

function valueIn(operation: GoOperation): Mutable {
  return (operation.value ?? null) as Mutable;
}

function pathOf(operation: GoOperation, field: 'path' | 'from', otherwise: string): string {
  const value = operation[field];
  if (typeof value === 'string') return value;
  throw new PatchFailure(`${otherwise}: ${MISSING}`);
}

interface Place {
  readonly container: Mutable[] | { [key: string]: Mutable };
  readonly key: string;
}

function isContainer(node: Mutable): node is Place['container'] {
  return typeof node === 'object' && node !== null;
}

function decoded(part: string): string {
  return part.includes('~') ? part.replaceAll('~1', '/').replaceAll('~0', '~') : part;
}

/** A missing member is undefined, without an error; a wrong index is one. */
function get({ container, key }: Place): Mutable | undefined | PatchFailure {
  if (!Array.isArray(container))
    return member(container as { [key: string]: Json }, key) as Mutable | undefined;
  const index = goArrayIndex(key);
  if (typeof index === 'string') return new PatchFailure(index);
  const found = sizedIndex(index, container.length);
  return typeof found === 'string' ? new PatchFailure(found) : container[found];
}

function got(place: Place): Mutable | undefined {
  const value = get(place);
  if (value instanceof PatchFailure) throw value;
  return value;
}

function addAt({ container, key }: Place, value: Mutable): void {
  if (!Array.isArray(container)) {
    setMember(container as Record<string, Json>, key, value as Json);
    return;
  }
  if (key === '-') {
    container.push(value);
    return;
  }
  const index = goArrayIndex(key);
  if (typeof index === 'string')
    throw new PatchFailure(`value was not a proper array index: '${key}': ${index}`);
  const found = sizedIndex(index, container.length + 1);
  if (typeof found === 'string') throw new PatchFailure(found);
  container.splice(found, 0, value);
}

function setAt(place: Place, value: Mutable): void {
  const { container, key } = place;
  if (!Array.isArray(container)) {
    setMember(container as Record<string, Json>, key, value as Json);
    return;
  }
  container[indexIn(key, container)] = value;
}

function removeAt({ container, key }: Place): void {
  if (Array.isArray(container)) {
    container.splice(indexIn(key, container), 1);
    return;
  }
  if (!Object.hasOwn(container, key)) {
    throw new PatchFailure(`Unable to remove nonexistent key: ${key}: ${MISSING}`);
  }
  delete container[key];
}

function indexIn(key: string, list: readonly Mutable[]): number {
  const index = goArrayIndex(key);
  const found = typeof index === 'string' ? index : sizedIndex(index, list.length);
  if (typeof found === 'string') throw new PatchFailure(found);
  return found;
}

function wrapped<T>(context: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof PatchFailure) throw new PatchFailure(`${context}: ${error.message}`, error.isTest);
    throw error;
  }
}
