import type { GenericSchema } from 'valibot';

/** As much of valibot's schemas as is looked at; one with a pipe shows what its first step has. */
interface Described {
  readonly type: string;
  readonly wrapped?: GenericSchema;
  readonly entries?: Readonly<Record<string, GenericSchema>>;
  readonly item?: GenericSchema;
  readonly value?: GenericSchema;
}

export type Path = readonly (string | number)[];

/** The keys that a map at this path may have; none where that is not known. */
export function keysAt(schema: GenericSchema, path: Path): string[] {
  let current: GenericSchema | undefined = schema;
  for (const key of path) {
    if (current === undefined) return [];
    current = childOf(current, key);
  }
  return current === undefined ? [] : Object.keys(describe(current).entries ?? {});
}

/** Where there is a list in the place of a map: valibot takes its indices for keys. */
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
