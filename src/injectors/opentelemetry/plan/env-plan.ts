import { type At, type DeepReadonly, type EnvVar, type Force, force } from '../../../sdk/index.ts';

export type Env = DeepReadonly<EnvVar>;

/** A variable whose value is computed from the one that it has, or else from ''. */
export interface EnvExtension {
  readonly name: string;
  readonly extend: (value: string) => string;
}

type PlacedEnv = Env & { readonly $at?: At };

/** An item of the overlay's `env`. */
type EnvOverlay = Omit<PlacedEnv, 'value'> & { readonly value?: string | Force<string> | undefined };

export const RESOURCE_ATTRIBUTES = 'OTEL_RESOURCE_ATTRIBUTES';

export type EnvPlan = ReturnType<typeof planEnv>;

/** Plans the environment of a container. Its existing entries stay in place and take precedence. */
export function planEnv(existing: readonly Env[]) {
  const own = lastByName(existing);
  const added = new Map<string, PlacedEnv>();
  const extended = new Map<string, string>();

  /** Returns the resulting entry: the container's own or else the planned one. */
  function get(name: string): Env | undefined {
    const value = extended.get(name);
    return value === undefined ? (own.get(name) ?? added.get(name)) : { name, value };
  }

  /** Adds an entry unless one of that name is planned. An extension requires that the value is known. */
  function add(entry: PlacedEnv | EnvExtension): void {
    const { name } = entry;
    if (!('extend' in entry)) {
      if (!added.has(name) && !extended.has(name)) added.set(name, entry);
      return;
    }
    const value = entry.extend(get(name)?.value ?? '');
    if (!own.has(name)) {
      added.set(name, { name, value });
    } else {
      added.delete(name);
      extended.set(name, value);
    }
  }

  /** Returns what the container lacks. */
  function overlay(): EnvOverlay[] {
    const items: EnvOverlay[] = [];
    for (const entry of added.values()) {
      if (!isSatisfied(own.get(entry.name), entry)) items.push(entry);
    }
    for (const [name, value] of extended) {
      if (own.get(name)?.value === value) continue;
      items.push(name === RESOURCE_ATTRIBUTES ? placed(value, existing) : { name, value: force(value) });
    }
    // The attributes refer to other variables, which must precede them.
    const rank = ({ name }: EnvOverlay) => (name === RESOURCE_ATTRIBUTES ? 1 : 0);
    return items.sort((left, right) => rank(left) - rank(right));
  }

  return { get, add, overlay };
}

/** The kubelet uses the last of several entries with the same name. */
function lastByName(entries: readonly Env[]): ReadonlyMap<string, Env> {
  const entriesByName = new Map<string, Env>();
  for (const entry of entries) entriesByName.set(entry.name, entry);
  return entriesByName;
}

export function lastOf(entries: readonly Env[], name: string): Env | undefined {
  return entries.findLast((entry) => entry.name === name);
}

/**
 * An entry with a different value remains in the overlay, so that the engine reports it as kept. One without a value is empty on
 * purpose: the API server omits `value: ""`, which the engine would fill.
 */
function isSatisfied(existing: Env | undefined, { value, valueFrom }: Env): boolean {
  if (existing === undefined) return false;
  if (!existing.value && existing.valueFrom === undefined) return true;
  if (valueFrom === undefined) return existing.value === value;
  const path = valueFrom.fieldRef?.fieldPath;
  return path !== undefined && existing.valueFrom?.fieldRef?.fieldPath === path;
}

/** Moves the attributes to the end unless all variables that they refer to already precede them. */
function placed(attributes: string, existing: readonly Env[]): EnvOverlay {
  const index = existing.findIndex(({ name }) => name === RESOURCE_ATTRIBUTES);
  const preceding = new Set(existing.slice(0, index).map(({ name }) => name));
  const isOrdered = referencesIn(attributes).every((name) => preceding.has(name));
  const item = { name: RESOURCE_ATTRIBUTES, value: force(attributes) };
  return isOrdered ? item : { ...item, $at: { last: true, keep: true } };
}

/** The names in `$(NAME)` references. */
export function referencesIn(value: string): string[] {
  if (!value.includes('$(')) return [];
  return [...value.matchAll(/\$\(([^()$]+)\)/g)].map(([, name]) => name ?? '');
}

/** Why a variable cannot be extended: the result of `valueFrom`, in the container or the Instrumentation, is unknown here. */
export function valueFromProblem(
  name: string,
  existing: readonly Env[],
  planned: readonly Env[],
): string | undefined {
  const own = lastOf(existing, name);
  // The first planned entry of a name is the one that is added.
  const entry = own ?? planned.find((candidate) => candidate.name === name);
  if (entry?.valueFrom === undefined) return undefined;
  const subject = own === undefined ? `the Instrumentation sets ${name}` : `${name} is set`;
  return `${subject} through valueFrom, expected a plain value`;
}

/** Extends a list of paths by one more, unless it is already there. */
export function pathExtension(name: string, path: string): EnvExtension {
  const extend = (value: string) => {
    if (value === '') return path;
    return value.split(':').includes(path) ? value : `${value}:${path}`;
  };
  return { name, extend };
}
