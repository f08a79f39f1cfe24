import type { At, Force } from '../../graft/directive.ts';
import { stable } from '../../json/stable.ts';
import { type DeepReadonly, type EnvVar, force } from '../../sdk/index.ts';
import { oncePer } from '../../sdk/memory.ts';

export type Env = DeepReadonly<EnvVar>;

/** An item of the overlay's `env`. */
export type EnvWish = Omit<Env, 'value'> & {
  readonly value?: string | Force<string> | undefined;
  readonly $at?: At;
};

export const RESOURCE_ATTRIBUTES = 'OTEL_RESOURCE_ATTRIBUTES';

/** The environment that a container is to have, in order. What it has already stays where it is. */
export interface EnvPlan {
  /** As it will be: the container's own entry or, without one, what is planned. */
  get(name: string): Env | undefined;
  /** Appends an entry, unless there is one of that name. */
  add(entry: Env): void;
  /** Puts an entry in front of all others, unless there is one of that name. */
  lead(entry: Env): void;
  /** Changes the text of an entry, or appends it. Not for one by `valueFrom`. */
  extend(name: string, change: (text: string) => string): void;
  overlay(): EnvWish[];
}

export function planEnv(found: readonly Env[]): EnvPlan {
  const leading = new Set<string>();
  const added = new Map<string, Env>();
  const changed = new Map<string, string>();

  const get = (name: string): Env | undefined => {
    const value = changed.get(name);
    return value === undefined ? (lastOf(found, name) ?? added.get(name)) : { name, value };
  };

  return {
    get,
    add: (entry) => {
      if (!added.has(entry.name) && !changed.has(entry.name)) added.set(entry.name, entry);
    },
    lead: (entry) => {
      if (added.has(entry.name)) return;
      added.set(entry.name, entry);
      leading.add(entry.name);
    },
    extend: (name, change) => {
      const value = change(get(name)?.value ?? '');
      if (lastOf(found, name) === undefined) {
        added.set(name, { name, value });
        return;
      }
      added.delete(name);
      changed.set(name, value);
    },
    overlay: () => {
      const wishes: EnvWish[] = [];
      for (const entry of added.values()) {
        const { name } = entry;
        // What the container has otherwise is wished for all the same: the engine leaves it as it is, and reports it.
        if (name === RESOURCE_ATTRIBUTES || says(lastOf(found, name), entry)) continue;
        wishes.push(leading.has(name) ? first(entry) : entry);
      }
      for (const [name, value] of changed) {
        if (lastOf(found, name)?.value === value) continue;
        if (name !== RESOURCE_ATTRIBUTES) wishes.push({ name, value: force(value) });
      }
      const attributes = changed.get(RESOURCE_ATTRIBUTES);
      const last = added.get(RESOURCE_ATTRIBUTES);
      if (attributes === undefined && last !== undefined) wishes.push(last);
      else if (attributes !== undefined && lastOf(found, RESOURCE_ATTRIBUTES)?.value !== attributes) {
        wishes.push(attributesWish(attributes, found));
      }
      return wishes;
    },
  };
}

/** The entries that lead are few, and the same for every container. */
const first = oncePer((entry: Env): EnvWish => stable({ ...entry, $at: 'first' }));

/** Of repeated names the last one counts. A loop: this is asked for every variable of every container. */
export function lastOf(entries: readonly Env[], name: string): Env | undefined {
  for (let index = entries.length - 1; index >= 0; index--) {
    if (entries[index]?.name === name) return entries[index];
  }
  return undefined;
}

/** On a second call nearly everything is there: what is found out here, the engine need not look for. */
function says(own: Env | undefined, wanted: Env): boolean {
  if (own === undefined) return false;
  if (wanted.valueFrom === undefined) return own.value === wanted.value;
  const path = wanted.valueFrom.fieldRef?.fieldPath;
  return path !== undefined && own.valueFrom?.fieldRef?.fieldPath === path;
}

/** It refers to other variables, which must stand before it: where they do not, it goes to the end. */
function attributesWish(value: string, found: readonly Env[]): EnvWish {
  const before = found.slice(
    0,
    found.findIndex(({ name }) => name === RESOURCE_ATTRIBUTES),
  );
  const isSettled = referencesIn(value).every((name) => lastOf(before, name) !== undefined);
  const wish = { name: RESOURCE_ATTRIBUTES, value: force(value) };
  return isSettled ? wish : { ...wish, $at: { last: true, keep: true } };
}

/** The names that stand as `$(NAME)` in a value. */
export function referencesIn(value: string): string[] {
  if (!value.includes('$(')) return [];
  return [...value.matchAll(/\$\(([^()$]+)\)/g)].map(([, name]) => name ?? '');
}
