import { at, type DeepReadonly, type EnvVar, type Force, force, type Placed } from '../../../sdk/index.ts';
import { byName, lastOf } from './by-name.ts';

export type Env = DeepReadonly<EnvVar>;

/** A variable whose value is computed from the one that it has, or else from '', and from the container's name. */
export interface EnvExtension {
  readonly name: string;
  readonly extend: (value: string, container: string) => string;
}

type PlacedEnv = Placed<Env> & { readonly extend?: undefined };

/** An item of the overlay's `env`. */
type EnvOverlay = Omit<PlacedEnv, 'value' | 'extend'> & {
  readonly value?: string | Force<string> | undefined;
};

export const RESOURCE_ATTRIBUTES = 'OTEL_RESOURCE_ATTRIBUTES';

export type EnvPlan = ReturnType<typeof planEnv>;

/** Plans the environment of a container. Its existing entries stay in place and take precedence. */
export function planEnv(existing: readonly Env[]) {
  const own = byName(existing);
  const added = new Map<string, PlacedEnv>();
  const extended = new Map<string, string>();

  /** Returns the resulting entry: the container's own or else the planned one. */
  function get(name: string): Env | undefined {
    const value = extended.get(name);
    return value === undefined ? (own(name) ?? added.get(name)) : { name, value };
  }

  /** Adds an entry unless one of that name is planned. An extension requires that the value is known. */
  function add(entry: PlacedEnv | EnvExtension, container = ''): void {
    const { name } = entry;
    if (typeof entry.extend !== 'function') {
      if (!added.has(name) && !extended.has(name)) added.set(name, entry);
      return;
    }
    const value = entry.extend(get(name)?.value ?? '', container);
    if (own(name) === undefined) {
      added.set(name, { name, value });
    } else {
      added.delete(name);
      extended.set(name, value);
    }
  }

  /** Returns what the container lacks. */
  function overlay(): EnvOverlay[] {
    const items: EnvOverlay[] = [];
    let attributes: EnvOverlay | undefined;
    for (const entry of added.values()) {
      if (isSatisfied(own(entry.name), entry)) continue;
      if (entry.name === RESOURCE_ATTRIBUTES) attributes = entry;
      else items.push(entry);
    }
    for (const [name, value] of extended) {
      if (own(name)?.value === value) continue;
      if (name === RESOURCE_ATTRIBUTES) attributes = placed(value, existing);
      else items.push({ name, value: force(value) });
    }
    // They refer to other variables, which must precede them.
    if (attributes !== undefined) items.push(attributes);
    return items;
  }

  return { get, add, overlay };
}

/**
 * An entry with a different value remains in the overlay, so that the engine reports it as kept. One without a value is empty on
 * purpose: the API server omits `value: ""`, which the engine would fill.
 */
function isSatisfied(existing: Env | undefined, entry: Env): boolean {
  if (existing === undefined) return false;
  if (existing === entry) return true;
  const { value, valueFrom } = entry;
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
  const value = force(attributes);
  const entry = { name: RESOURCE_ATTRIBUTES, value };
  return isOrdered ? entry : at({ last: true, keep: true }, entry);
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
  planned: Env | undefined,
): string | undefined {
  const own = lastOf(existing, name);
  const entry = own ?? planned;
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
