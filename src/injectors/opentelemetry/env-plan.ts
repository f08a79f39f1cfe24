import type { At, Force } from '../../graft/directive.ts';
import { type DeepReadonly, type EnvVar, force } from '../../sdk/index.ts';

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
  const own = new Map(found.map((entry) => [entry.name, entry]));
  const leading = new Map<string, Env>();
  const added = new Map<string, Env>();
  const changed = new Map<string, string>();

  const get = (name: string): Env | undefined => {
    const value = changed.get(name);
    if (value !== undefined) return { name, value };
    return own.get(name) ?? leading.get(name) ?? added.get(name);
  };
  // Also what the container has is wished for: the engine leaves it, and reports where it says something else.
  const isPlanned = (name: string) => leading.has(name) || added.has(name) || changed.has(name);

  return {
    get,
    add: (entry) => {
      if (!isPlanned(entry.name)) added.set(entry.name, entry);
    },
    lead: (entry) => {
      if (!isPlanned(entry.name)) leading.set(entry.name, entry);
    },
    extend: (name, change) => {
      const value = change(get(name)?.value ?? '');
      if (!own.has(name)) {
        added.set(name, { name, value });
        return;
      }
      added.delete(name);
      changed.set(name, value);
    },
    overlay: () => {
      const wishes: EnvWish[] = [];
      for (const entry of leading.values()) wishes.push({ ...entry, $at: 'first' });
      for (const entry of added.values()) if (entry.name !== RESOURCE_ATTRIBUTES) wishes.push(entry);
      for (const [name, value] of changed) {
        if (name !== RESOURCE_ATTRIBUTES) wishes.push({ name, value: force(value) });
      }
      const attributes = changed.get(RESOURCE_ATTRIBUTES);
      const last = added.get(RESOURCE_ATTRIBUTES);
      if (attributes !== undefined) wishes.push(attributesWish(attributes, found));
      else if (last !== undefined) wishes.push(last);
      return wishes;
    },
  };
}

/** It refers to other variables, which must stand before it: where they do not, it goes to the end. */
function attributesWish(value: string, found: readonly Env[]): EnvWish {
  const wish = { name: RESOURCE_ATTRIBUTES, value: force(value) };
  const before = new Set<string>();
  for (const { name } of found) {
    if (name === RESOURCE_ATTRIBUTES) break;
    before.add(name);
  }
  const settled = referencesIn(value).every((name) => before.has(name));
  return settled ? wish : { ...wish, $at: { last: true, keep: true } };
}

/** The names that stand as `$(NAME)` in a value. */
export function referencesIn(value: string): string[] {
  return [...value.matchAll(/\$\(([^()$]+)\)/g)].map(([, name]) => name ?? '');
}
