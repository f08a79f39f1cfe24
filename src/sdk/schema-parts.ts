import type { GenericSchema } from 'valibot';

/** The parts of valibot's schemas that are used here. A schema with a pipe has those of its first step. */
interface Described {
  readonly type: string;
  readonly wrapped?: GenericSchema;
  readonly entries?: Readonly<Record<string, GenericSchema>>;
  readonly item?: GenericSchema;
  readonly value?: GenericSchema;
}

export type Path = readonly (string | number)[];

/** The keys of the map at a path; empty if unknown. */
export function keysAt(schema: GenericSchema, path: Path): string[] {
  let current: GenericSchema | undefined = schema;
  for (const key of path) {
    if (current === undefined) return [];
    current = childOf(current, key);
  }
  return current === undefined ? [] : Object.keys(describe(current).entries ?? {});
}

/** The paths of lists where maps are expected: valibot would treat their indices as keys. */
export function listsForMaps(schema: GenericSchema, raw: unknown, path: Path = []): Path[] {
  if (typeof raw !== 'object' || raw === null) return [];
  const { entries, type } = describe(schema);
  if (Array.isArray(raw) && (entries !== undefined || type === 'record')) return [path];
  return Object.entries(raw).flatMap(([key, value]) => {
    const child = childOf(schema, key);
    return child === undefined ? [] : listsForMaps(child, value, [...path, key]);
  });
}

function childOf(schema: GenericSchema, key: string | number): GenericSchema | undefined {
  const { type, entries, item, value } = describe(schema);
  if (entries !== undefined) return Object.hasOwn(entries, key) ? entries[key] : undefined;
  return type === 'record' ? value : item;
}

function describe(schema: GenericSchema): Described {
  const described = schema as unknown as Described;
  return described.wrapped === undefined ? described : describe(described.wrapped);
}
