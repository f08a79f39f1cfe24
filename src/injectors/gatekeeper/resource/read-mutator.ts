import { annotationsOf, ConfigError, type ConfigIssue, type KubeObject } from '../../../sdk/index.ts';
import { MUTATED_OPERATIONS, type Mutator } from './mutator.ts';
import { readSpec, type Spec } from './read-spec.ts';
import { MUTATOR_KINDS, type MutatorKind } from './resources.ts';

/** The problems of a mutation resource; paths begin at the resource. */
export interface InvalidMutator {
  readonly title: string;
  readonly problems: readonly ConfigIssue[];
}

/** Reads a mutation resource in any of its versions, by the rules that Gatekeeper applies when one is created. */
export function readMutator(resource: KubeObject): Mutator | InvalidMutator {
  const { kind } = resource;
  const { name = '' } = resource.metadata;
  const title = `${kind} "${name}"`;
  try {
    if (!isMutatorKind(kind)) throw problem(['kind'], `expected ${MUTATOR_KINDS.join(', ')}`);
    if (name.length > 63) throw problem(['metadata', 'name'], 'expected at most 63 characters');
    return { kind, name, title, ...readExtensions(resource, kind), ...specOf(resource, kind) };
  } catch (error) {
    if (error instanceof ConfigError) return { title, problems: error.issues };
    throw error;
  }
}

export function isInvalid(read: Mutator | InvalidMutator): read is InvalidMutator {
  return 'problems' in read;
}

/** One line for messages. */
export function invalidText({ title, problems }: InvalidMutator): string {
  return `${title} is invalid: ${problems.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`;
}

export function isMutatorKind(kind: string): kind is MutatorKind {
  return MUTATOR_KINDS.some((each) => each === kind);
}

function specOf(resource: KubeObject, kind: MutatorKind): Spec {
  const { spec = {} } = resource as { readonly spec?: unknown };
  try {
    return readSpec(kind, spec);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(error.issues.map((issue) => ({ ...issue, path: ['spec', ...issue.path] })));
  }
}

const MODE = 'podgraft.dev/mode';
const OPERATIONS = 'podgraft.dev/operations';

/** Podgraft's own annotations. A misspelt value is an error: `warn` must never change anything. */
function readExtensions(resource: KubeObject, kind: MutatorKind): Pick<Mutator, 'mode' | 'operations'> {
  const { [MODE]: mode = 'enforce', [OPERATIONS]: list } = annotationsOf(resource);
  if (mode !== 'enforce' && mode !== 'warn') {
    throw problem(['metadata', 'annotations', MODE], `expected "enforce" or "warn", found "${mode}"`);
  }
  if (list === undefined) return { mode, operations: MUTATED_OPERATIONS };
  const at = ['metadata', 'annotations', OPERATIONS];
  if (kind !== 'AssignMetadata')
    throw problem(at, `for AssignMetadata only: ${kind} has spec.applyTo[].operations`);
  const wanted = list.split(',').map((each) => each.trim());
  const operations = MUTATED_OPERATIONS.filter((each) => wanted.includes(each));
  if (operations.length === wanted.length) return { mode, operations };
  throw problem(at, `expected "CREATE", "UPDATE" or "CREATE,UPDATE", found "${list}"`);
}

function problem(path: readonly string[], message: string): ConfigError {
  return new ConfigError([{ path, message }]);
}
