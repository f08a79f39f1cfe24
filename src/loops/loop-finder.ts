import type { Json } from '../json/json.ts';
import type { Pointer } from '../json/pointer.ts';
import { valueAt } from '../json/value-at.ts';
import type { AuditWrite } from './audit-write.ts';
import { FieldHistory, type Flips, type Observation, type Writer } from './field-history.ts';
import { changedLeaves, type Fingerprint, keptFingerprint, leafHash } from './fingerprint.ts';
import { ABSENT, pathHash, valueHash } from './leaf-hash.ts';
import { PathNames } from './path-names.ts';
import { patchedField, requestedValue } from './requested-value.ts';

/** A field that one writer sets and another one sets back. */
export interface Loop extends Flips {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly path: Pointer;
  /** Fields of the object that change together with it. */
  readonly others: readonly Pointer[];
}

export interface FinderOptions {
  /** How often a field must return to an earlier value. */
  readonly minReturns?: number;
  readonly maxObjects?: number;
}

interface TrackedObject {
  readonly write: Pick<AuditWrite, 'resource' | 'namespace' | 'name'>;
  state: Fingerprint;
  /** Writes until now, for fields that turn out to change later. */
  readonly earlier: Observation[];
  /** By the hash of their paths. */
  readonly fields: Map<number, FieldHistory>;
}

const MOST_EARLIER = 64;
const MOST_FIELDS = 64;
/** More differences than a conflict causes: the object was rewritten. */
const MOST_CHANGES = 40;

/** Finds loops in a stream of writes. If there are too many objects, the least recently written ones are forgotten. */
export class LoopFinder {
  readonly #objects = new Map<string, TrackedObject>();
  readonly #writers = new Writers();
  readonly #names = new PathNames();
  readonly #minReturns: number;
  readonly #maxObjects: number;
  #order = 0;

  constructor({ minReturns = 3, maxObjects = 10_000 }: FinderOptions = {}) {
    this.#minReturns = minReturns;
    this.#maxObjects = maxObjects;
  }

  add(write: AuditWrite): void {
    const observation = this.#observe(write, this.#writers.get('user', write.user, write.program));
    const tracked = this.#objects.get(write.key);
    if (tracked === undefined) {
      const { key, resource, namespace, name } = write;
      this.#names.learn(write.object, write.state);
      const fields = new Map<number, FieldHistory>();
      const kept = keptFingerprint(write.state);
      this.#objects.set(key, {
        write: { resource, namespace, name },
        state: kept,
        earlier: [observation],
        fields,
      });
      this.#forget();
      return;
    }
    // Moved to the end: the first one is the least recently written.
    this.#objects.delete(write.key);
    this.#objects.set(write.key, tracked);
    this.#follow(tracked, write, observation);
    tracked.state = keptFingerprint(write.state, tracked.state);
    tracked.earlier.push(observation);
    if (tracked.earlier.length > MOST_EARLIER) tracked.earlier.shift();
  }

  #observe({ version, time }: AuditWrite, writer: Writer): Observation {
    return { version, time, order: this.#order++, writer };
  }

  #follow(tracked: TrackedObject, write: AuditWrite, observation: Observation): void {
    const changes = changedLeaves(tracked.state, write.state);
    if (changes.length <= MOST_CHANGES) {
      if (changes.some(({ before }) => before === ABSENT)) this.#names.learn(write.object, write.state);
      for (const { path, before } of changes) trackField(tracked, path, before);
    }
    const patched = write.webhookPatches.length === 0 ? NO_WRITERS : this.#trackPatches(tracked, write);
    // A request with other changes may just send the object as its author wrote it.
    const isAllUndone = patched.size > 0 && changes.every(({ path }) => patched.has(path));
    for (const [hash, history] of tracked.fields) {
      if (history.isNoise) continue;
      const webhook = patched.get(hash);
      if (webhook !== undefined && isAllUndone) {
        // A webhook that overrides what the request sets undoes it before it is stored.
        const requested = requestedValue(write, this.#names.get(hash) ?? '');
        this.#record(history, observation, valueHash(requested), () => requested);
      }
      const stored = () => valueAt(write.object(), this.#names.get(hash) ?? '');
      const value = history.isWhole ? valueHash(stored()) : leafHash(write.state, hash);
      this.#record(
        history,
        webhook === undefined ? observation : this.#observe(write, webhook),
        value,
        stored,
      );
    }
  }

  /** Value text is stored only for recurring values. */
  #record(
    history: FieldHistory,
    observation: Observation,
    value: number,
    read: () => Json | undefined,
  ): void {
    const isReturn = history.add(observation, value);
    if (isReturn && !history.hasText(value)) history.setText(value, valueText(read()));
  }

  /** Follows the fields that webhooks have changed in this request. */
  #trackPatches(tracked: TrackedObject, write: AuditWrite): Map<number, Writer> {
    const patched = new Map<number, Writer>();
    const object = write.object();
    for (const { path, webhook, configuration } of write.webhookPatches) {
      const field = patchedField(path, object);
      const hash = pathHash(field);
      const value = valueAt(object, field);
      const isWhole = typeof value === 'object' && value !== null;
      this.#names.set(hash, field);
      patched.set(hash, this.#writers.get('webhook', webhook, configuration));
      const before = isWhole ? valueHash(value) : leafHash(tracked.state, hash);
      const history = trackField(tracked, hash, before);
      if (history !== undefined) history.isWhole = isWhole;
    }
    return patched;
  }

  #forget(): void {
    for (const key of this.#objects.keys()) {
      if (this.#objects.size <= this.#maxObjects) return;
      this.#objects.delete(key);
    }
  }

  /** The loops so far, the busiest first. */
  loops(): Loop[] {
    const found = [...this.#objects.values()].flatMap(({ write, fields }) => {
      const loops = [...fields].flatMap(([hash, history]) => {
        const path = this.#names.get(hash);
        const flips = path === undefined ? undefined : this.#flipsOf(history, path);
        return path === undefined || flips === undefined ? [] : { ...write, ...flips, path, others: [] };
      });
      return merged(loops);
    });
    return found.toSorted((one, other) => other.returns - one.returns);
  }

  #flipsOf(history: FieldHistory, path: Pointer): Flips | undefined {
    if (history.isNoise) return undefined;
    const flips = history.flips();
    // Conditions flap by themselves when a node or a probe is unstable.
    const least = path.startsWith('/status/') ? 3 * this.#minReturns : this.#minReturns;
    const writers = new Set(flips.shares.map(({ writer }) => writer));
    return flips.returns >= least && writers.size > 1 ? flips : undefined;
  }
}

const NO_WRITERS: ReadonlyMap<number, Writer> = new Map();

/** A new field had one value in all earlier writes. */
function trackField(
  { fields, earlier }: TrackedObject,
  path: number,
  before: number,
): FieldHistory | undefined {
  const known = fields.get(path);
  if (known !== undefined || fields.size >= MOST_FIELDS) return known;
  const history = new FieldHistory();
  for (const observation of earlier) history.add(observation, before);
  fields.set(path, history);
  return history;
}

/** Fields of one object that changed equally often at the same times have one cause. */
function merged(loops: readonly Loop[]): Loop[] {
  const groups = new Map<string, Loop[]>();
  for (const loop of loops) {
    const key = `${loop.returns} ${loop.first} ${loop.last}`;
    groups.set(key, [...(groups.get(key) ?? []), loop]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...others] = group.toSorted((one, other) => one.path.length - other.path.length);
    return first === undefined ? [] : { ...first, others: others.map(({ path }) => path) };
  });
}

const LONGEST = 60;

/** A value as JSON for display, shortened if long. */
function valueText(value: Json | undefined): string {
  if (value === undefined) return '(absent)';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

const MOST_WRITERS = 10_000;
const OTHERS: Writer = { kind: 'user', name: 'others', detail: '' };

/** One object for each writer, so that they can be compared and take no memory for each write. */
class Writers {
  readonly #known = new Map<string, Writer>();

  get(kind: Writer['kind'], name: string, detail: string): Writer {
    const key = `${kind} ${name} ${detail}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MOST_WRITERS) return OTHERS;
    const writer = { kind, name, detail };
    this.#known.set(key, writer);
    return writer;
  }
}
