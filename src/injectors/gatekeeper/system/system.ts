import { type ClusterView, cacheByObject, cacheByTexts, type KubeObject } from '../../../sdk/index.ts';
import { type Batch, batchesOf } from '../mutate/batches.ts';
import { matchesNamespace } from '../mutate/matches-object.ts';
import type { Subject } from '../mutate/subject.ts';
import { MUTATED_OPERATIONS, type MutatedOperation, type Mutator } from '../resource/mutator.ts';
import { type InvalidMutator, isInvalid, readMutator } from '../resource/read-mutator.ts';
import { MUTATOR_KINDS, MUTATORS } from '../resource/resources.ts';
import { appliesTo, type ObjectKind } from './applies-to.ts';
import { type Conflict, schemaConflicts } from './schema-conflicts.ts';

/** All mutators of a configuration and a cluster. */
export interface System {
  /** The valid ones, in the order in which they run. */
  readonly mutators: readonly Mutator[];
  readonly invalid: readonly InvalidMutator[];
  /** All mutators in conflicts are switched off. */
  readonly conflicts: readonly Conflict[];
  /** Conflicts that would arise if mutators with mode `warn` were enforced. */
  readonly possibleConflicts: readonly Conflict[];
  /** Selected by the request alone; cached, so that cost follows the mutators for a kind, not all of them. */
  select(kind: ObjectKind, operation: MutatedOperation): SelectedMutators;
}

export interface SelectedMutators {
  readonly enforced: readonly Mutator[];
  /** Of the enforced ones, those for the namespace of an object, ready to run. */
  batchesFor(subject: Subject): readonly Batch[];
  readonly warned: readonly Mutator[];
  /** Switched off by conflicts. */
  readonly disabled: readonly DisabledMutator[];
}

export interface DisabledMutator {
  readonly mutator: Mutator;
  readonly conflicts: readonly Conflict[];
}

/** Those of the configuration and of the cluster. Compiled once for each state of the cluster. */
export function systemOf(resources: readonly KubeObject[], cluster: ClusterView | undefined): System {
  let compiled = fromResources(resources);
  if (cluster === undefined) return compiled.system();
  for (const kind of MUTATOR_KINDS) {
    const list = cluster.list(MUTATORS[kind]);
    // Views may return a new list whenever there are no objects.
    if (list.length > 0) compiled = compiled.with(list);
  }
  return compiled.system();
}

/** A chain of caches, one for each list of objects: lists are identical as long as no object of the kind changes. */
interface Compiled {
  with(list: readonly KubeObject[]): Compiled;
  system(): System;
}

const fromResources = cacheByObject((resources: readonly KubeObject[]) => compiledFrom(readAll(resources)));

function compiledFrom(read: readonly (Mutator | InvalidMutator)[]): Compiled {
  let system: System | undefined;
  return {
    with: cacheByObject((list) => compiledFrom([...read, ...readAll(list)])),
    system() {
      system ??= createSystem(read);
      return system;
    },
  };
}

const read = cacheByObject(readMutator);

function readAll(resources: readonly KubeObject[]): readonly (Mutator | InvalidMutator)[] {
  return resources.map(read);
}

export function createSystem(all: readonly (Mutator | InvalidMutator)[]): System {
  // Of several with the same name the first counts: the configuration's.
  const valid = new Map<string, Mutator>();
  for (const each of all) if (!isInvalid(each) && !valid.has(each.title)) valid.set(each.title, each);
  const mutators = [...valid.values()].sort(inOrder);
  const enforced = mutators.filter(({ mode }) => mode === 'enforce');
  const conflicts = schemaConflicts(enforced);
  const disabled = new Set(conflicts.flatMap((conflict) => conflict.mutators));
  const possible = enforced.length === mutators.length ? [] : schemaConflicts(mutators);
  // An entry refers to mutators of the cluster, which no review makes more.
  const cache = cacheByTexts<SelectedMutators>({ entries: MAX_KINDS, keyLength: 512 });
  return {
    mutators,
    invalid: all.filter(isInvalid),
    conflicts,
    possibleConflicts: possible.filter(({ mutators: some }) => some.some(({ mode }) => mode === 'warn')),
    select: (kind, operation) =>
      cache([kind.group, kind.version, kind.kind, operation], () => {
        const selected = mutators.filter((mutator) => appliesTo(mutator, kind, operation));
        const active = selected.filter((each) => each.mode === 'enforce' && !disabled.has(each));
        return {
          enforced: active,
          batchesFor: batchesBySubject(active),
          warned: selected.filter(({ mode }) => mode === 'warn'),
          disabled: selected
            .filter((each) => disabled.has(each))
            .map((mutator) => ({
              mutator,
              conflicts: conflicts.filter((each) => each.mutators.includes(mutator)),
            })),
        };
      }),
  };
}

/** Keyed by the mutators that are for the namespace or by those that are not, whichever are fewer: long keys are not cached. */
function batchesBySubject(mutators: readonly Mutator[]): SelectedMutators['batchesFor'] {
  const cache = cacheByTexts<readonly Batch[]>({ entries: MAX_VARIANTS, keyLength: 4096 });
  return (subject) => {
    const own: Mutator[] = [];
    const others: Mutator[] = [];
    for (const mutator of mutators) (matchesNamespace(mutator, subject) ? own : others).push(mutator);
    const fewer = own.length < others.length ? own : others;
    return cache([fewer === own ? 'own' : 'others', ...fewer.map(({ title }) => title)], () =>
      batchesOf(own),
    );
  };
}

/** Each with its operations. */
const MAX_KINDS = 250;
const MAX_VARIANTS = 16;

/** By kind, then by name. The last one wins. */
function inOrder(one: Mutator, other: Mutator): number {
  if (one.kind !== other.kind) return MUTATOR_KINDS.indexOf(one.kind) - MUTATOR_KINDS.indexOf(other.kind);
  return one.name < other.name ? -1 : 1;
}

export function isMutated(operation: string): operation is MutatedOperation {
  return MUTATED_OPERATIONS.some((each) => each === operation);
}
