import { type GenericIssue, type GenericSchema, type InferOutput, safeParse } from 'valibot';
import { PodgraftError } from '../podgraft-error.ts';

/** What is wrong with a configuration, and where in it. */
export interface ConfigIssue {
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

/** A reader for `with:` that knows its schema, from which the published JSON Schema is made. */
export type ConfigReader<C> = ((raw: unknown) => C) & { readonly schema: GenericSchema };

/** Makes an injector's `config` from a valibot schema; an absent `with:` reads as `{}`. */
export function configFrom<const S extends GenericSchema>(schema: S): ConfigReader<InferOutput<S>> {
  const read = (raw: unknown): InferOutput<S> => parseConfig(schema, raw ?? {});
  return Object.assign(read, { schema });
}

/** Checks a value against a schema; throws a ConfigError with every issue there is. */
export function parseConfig<const S extends GenericSchema>(schema: S, raw: unknown): InferOutput<S> {
  const result = safeParse(schema, raw);
  if (result.success) return result.output;
  throw new ConfigError(result.issues.map(toConfigIssue));
}

function toConfigIssue(issue: GenericIssue): ConfigIssue {
  const path = (issue.path ?? []).map((segment) => segment.key as string | number);
  return { path, message: messageOf(issue) };
}

function messageOf(issue: GenericIssue): string {
  const key = issue.path?.at(-1)?.key;
  if (issue.kind === 'schema' && issue.expected === 'never') return `unknown key "${String(key)}"`;
  if (issue.received === 'undefined') return `missing, expected ${words(issue.expected)}`;
  if (issue.kind === 'schema') return `expected ${words(issue.expected)}, found ${words(issue.received)}`;
  return issue.message;
}

function words(type: string | null): string {
  if (type === null) return 'something else';
  return type === 'Array' ? 'a list' : type === 'Object' ? 'a map' : type;
}

function dotted(path: readonly (string | number)[]): string {
  return path.length === 0 ? 'with' : path.join('.');
}
