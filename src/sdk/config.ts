import { type GenericIssue, type GenericSchema, type InferOutput, safeParse } from 'valibot';
import { closest } from '../closest.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { keysAt, listsForMaps, type Path } from './schema-parts.ts';

/** A mistake in a configuration, and its path. A warning does not prevent the start. */
export interface ConfigIssue {
  readonly severity?: 'error' | 'warning';
  readonly path: readonly (string | number)[];
  readonly message: string;
}

export class ConfigError extends PodgraftError {
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[]) {
    super('CONFIG_INVALID', issues.map((issue) => `${dotted(issue.path)}: ${issue.message}`).join('; '));
    this.issues = issues;
  }
}

/** A parser for `with:` with its schema, from which the published JSON Schema is generated. */
export type ConfigReader<C> = ((raw: unknown) => C) & { readonly schema: GenericSchema };

/** Creates an injector's `config` from a valibot schema. An absent `with:` is parsed as `{}`. */
export function configFrom<const S extends GenericSchema>(schema: S): ConfigReader<InferOutput<S>> {
  const read = (raw: unknown): InferOutput<S> => parseConfig(schema, raw ?? {});
  return Object.assign(read, { schema });
}

/** Checks a value against a schema; throws a ConfigError with all issues. */
export function parseConfig<const S extends GenericSchema>(schema: S, raw: unknown): InferOutput<S> {
  const lists = listsForMaps(schema, raw);
  if (lists.length > 0) {
    throw new ConfigError(lists.map((path) => ({ path, message: 'expected a map, found a list' })));
  }
  const result = safeParse(schema, raw);
  if (result.success) return result.output;
  throw new ConfigError(result.issues.map((issue) => toConfigIssue(issue, schema)));
}

function toConfigIssue(issue: GenericIssue, schema: GenericSchema): ConfigIssue {
  const path = (issue.path ?? []).map((segment) => segment.key as string | number);
  const isUnknown = issue.kind === 'schema' && issue.expected === 'never';
  return { path, message: isUnknown ? unknownKey(path, schema) : messageOf(issue) };
}

function unknownKey(path: Path, schema: GenericSchema): string {
  const key = String(path.at(-1));
  const keys = keysAt(schema, path.slice(0, -1));
  const guess = closest(key, keys);
  if (guess !== undefined) return `unknown key "${key}", did you mean "${guess}"?`;
  return `unknown key "${key}"${keys.length === 0 ? '' : `, expected ${keys.join(', ')}`}`;
}

function messageOf(issue: GenericIssue): string {
  if (issue.received === 'undefined') return `missing, expected ${words(issue.expected)}`;
  if (issue.kind === 'schema') return `expected ${words(issue.expected)}, found ${words(issue.received)}`;
  return issue.message;
}

function words(type: string | null): string {
  if (type === null) return 'something else';
  if (type === 'Array') return 'a list';
  if (type === 'Object') return 'a map';
  return type.length > 100 ? `${type.slice(0, 99)}…` : type;
}

function dotted(path: readonly (string | number)[]): string {
  return path.length === 0 ? 'with' : path.join('.');
}
