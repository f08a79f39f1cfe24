import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { escapeSegment, type Pointer, parsePointer } from '../json/pointer.ts';
import { valueAt } from '../json/value-at.ts';
import type { AuditWrite } from './audit-write.ts';
import { type ChangedField, changedFields } from './changed-fields.ts';
import { tryParse } from './event-parts.ts';
import { FieldHistory, type Flips, type Sighting, type Writer } from './field-history.ts';

/** A field that somebody sets and somebody else sets back. */
export interface Loop extends Flips {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: Pointer;
}

export interface FinderOptions {
  /** How often a field must return to an earlier value. */
  readonly minReturns?: number;
  readonly maxObjects?: number;
  /** Of the states of objects that are kept, roughly. */
  readonly maxBytes?: number;
}

interface TrackedObject {
  readonly write: Pick<AuditWrite, 'resource' | 'namespace' | 'name'>;
  /** As text: thousands of parsed objects would keep the garbage collector busy. */
  text: Buffer;
  /** Writes until now, for fields that turn out to change later. */
  readonly earlier: Omit<Sighting, 'value'>[];
  readonly fields: Map<Pointer, FieldHistory>;
}

const MOST_EARLIER = 64;
const MOST_FIELDS = 64;

/** Finds loops in a stream of writes. Objects that were not written for long are forgotten when memory runs out. */
export class LoopFinder {
  readonly #objects = new Map<string, TrackedObject>();
  readonly #options: Required<FinderOptions>;
  #bytes = 0;
  #order = 0;

  constructor({ minReturns = 3, maxObjects = 20_000, maxBytes = 64 * 1024 * 1024 }: FinderOptions = {}) {
    this.#options = { minReturns, maxObjects, maxBytes };
  }

  add(write: AuditWrite): void {
    const order = ++this.#order;
    const user: Writer = { kind: 'user', name: write.user, detail: write.program };
    const base = { version: write.version, time: write.time, order: 2 * order };
    const tracked = this.#objects.get(write.key);
    const text = Buffer.from(write.objectText);
    if (tracked === undefined) {
      this.#track(write, text, { ...base, writer: user });
      return;
    }
    // Moved to the end: the first is the one that was written longest ago.
    this.#objects.delete(write.key);
    this.#objects.set(write.key, tracked);
    // Only what `readWrite` has parsed as an object is kept.
    const before = JSON.parse(tracked.text.toString()) as JsonObject;
    const changes = changedFields(before, write.object);
    this.#sight(tracked, before, changes, write, { ...base, writer: user });
    this.#bytes += text.length - tracked.text.length;
    tracked.text = text;
    tracked.earlier.push({ ...base, writer: user });
    if (tracked.earlier.length > MOST_EARLIER) tracked.earlier.shift();
    this.#forget();
  }

  #track(write: AuditWrite, text: Buffer, sighting: Omit<Sighting, 'value'>): void {
    const { key, resource, namespace, name } = write;
    this.#objects.set(key, {
      write: { resource, namespace, name },
      text,
      earlier: [sighting],
      fields: new Map(),
    });
    this.#bytes += text.length;
    this.#forget();
  }

  #sight(
    tracked: TrackedObject,
    before: JsonObject,
    changes: readonly ChangedField[],
    write: AuditWrite,
    sighting: Omit<Sighting, 'value'>,
  ): void {
    for (const change of changes) this.#fieldOf(tracked, change.path, textOf(change.before));
    const patched = new Map<Pointer, Writer>();
    for (const { path, webhook, configuration } of write.webhookPatches) {
      const field = fieldOf(path, write.object);
      patched.set(field, { kind: 'webhook', name: webhook, detail: configuration });
      this.#fieldOf(tracked, field, textOf(valueAt(before, field)));
    }
    // A request that brings other changes, too, may just send the object as its author wrote it.
    const isAllUndone = changes.every(({ path }) =>
      [...patched.keys()].some((field) => path.startsWith(field)),
    );
    for (const [path, history] of tracked.fields) {
      if (history.isNoise) continue;
      const value = textOf(valueAt(write.object, path));
      const webhook = patched.get(path);
      if (webhook === undefined) {
        history.add({ ...sighting, value });
        continue;
      }
      // A webhook that overrides what the request asks for undoes it before it is stored.
      const asked = textOf(askedFor(write, path));
      if (isAllUndone && asked !== value) history.add({ ...sighting, value: asked });
      history.add({ ...sighting, order: sighting.order + 1, value, writer: webhook });
    }
  }

  /** The history of a field; a new one knows that the field had one value in all earlier writes. */
  #fieldOf({ fields, earlier }: TrackedObject, path: Pointer, before: string): void {
    if (fields.has(path) || fields.size >= MOST_FIELDS) return;
    const history = new FieldHistory();
    for (const sighting of earlier) history.add({ ...sighting, value: before });
    fields.set(path, history);
  }

  #forget(): void {
    const { maxObjects, maxBytes } = this.#options;
    for (const [key, { text }] of this.#objects) {
      if (this.#objects.size <= maxObjects && this.#bytes <= maxBytes) return;
      this.#objects.delete(key);
      this.#bytes -= text.length;
    }
  }

  /** The loops until now, the busiest first. */
  loops(): Loop[] {
    const found: Loop[] = [];
    for (const { write, fields } of this.#objects.values()) {
      for (const [path, history] of fields) {
        if (history.isNoise) continue;
        const flips = history.flips();
        // Conditions flap by themselves when a node or a probe is unstable.
        const least = path.startsWith('/status/') ? 3 * this.#options.minReturns : this.#options.minReturns;
        const writers = new Set(
          flips.shares.map(({ writer }) => `${writer.kind} ${writer.name} ${writer.detail}`),
        );
        if (flips.returns >= least && writers.size > 1) found.push({ ...write, path, ...flips });
      }
    }
    return found.toSorted((one, other) => other.returns - one.returns);
  }
}

const LONGEST_VALUE = 200;

/** A value as a key: as JSON if it is short, else its beginning and a hash. */
function textOf(value: Json | undefined): string {
  if (value === undefined) return 'absent';
  const text = JSON.stringify(value);
  if (text.length <= LONGEST_VALUE) return text;
  let hash = 0;
  for (let index = 0; index < text.length; index++) hash = (Math.imul(hash, 31) + text.charCodeAt(index)) | 0;
  return `${text.slice(0, 40)}… (${text.length} characters, ${(hash >>> 0).toString(16)})`;
}

/** The field that a patch operation is about: `/metadata/labels` with one label is about that label; an item is about its list. */
function fieldOf(path: Pointer, object: JsonObject): Pointer {
  const list = path.replace(/\/(-|\d+)(\/.*)?$/, '');
  if (list !== path && isJsonArray(valueAt(object, list))) return list;
  const value = valueAt(object, path);
  const [only, ...others] = isJsonObject(value) ? Object.keys(value) : [];
  const isOne = only !== undefined && others.length === 0;
  return isOne ? `${path}/${escapeSegment(only)}` : path;
}

/** What the request wants a field to be; undefined if absent. Without an opinion, what is stored. */
function askedFor({ isPatch, requestText, object }: AuditWrite, path: Pointer): Json | undefined {
  const request = tryParse(requestText);
  if (request === undefined) return valueAt(object, path);
  if (!isPatch) return valueAt(request, path);
  return isJsonArray(request)
    ? askedByOperations(request, path, object)
    : askedByMerge(request, path, object);
}

function askedByOperations(patch: readonly Json[], path: Pointer, object: JsonObject): Json | undefined {
  const operation = patch.filter(isJsonObject).find((each) => each.path === path);
  if (operation === undefined) return valueAt(object, path);
  return operation.op === 'remove' ? undefined : operation.value;
}

function askedByMerge(patch: Json, path: Pointer, object: JsonObject): Json | undefined {
  let node: Json | undefined = patch;
  for (const segment of parsePointer(path)) {
    // Such a patch removes a field by null.
    if (node === null) return undefined;
    if (!isJsonObject(node)) return valueAt(object, path);
    node = node[segment];
  }
  if (node === null) return undefined;
  return node === undefined ? valueAt(object, path) : node;
}
