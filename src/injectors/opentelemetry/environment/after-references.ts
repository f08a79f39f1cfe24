import { type Env, referencesIn } from '../plan/env-plan.ts';

/**
 * The entries of a language, each after the shared ones that it refers to, which are preceded by those that they refer to
 * themselves. Not recursive, because a chain of references can be longer than the stack.
 */
export function afterReferences(own: readonly Env[], shared: readonly Env[]): readonly Env[] {
  const names = new Set(own.map(({ name }) => name));
  const positions = new Map<string, number>();
  for (const [index, { name }] of shared.entries()) {
    if (!positions.has(name)) positions.set(name, index);
  }
  const ordered: Env[] = [];
  const open = own.toReversed().map((entry) => waiting(entry, shared.length));
  for (let current = open.at(-1); current !== undefined; current = open.at(-1)) {
    const name = current.references.pop();
    if (name === undefined) {
      ordered.push(current.entry);
      names.add(current.entry.name);
      open.pop();
    } else if (!names.has(name)) {
      const position = positions.get(name) ?? shared.length;
      const needed = shared[position];
      // A shared entry can refer only to preceding ones.
      if (needed !== undefined && position < current.before) open.push(waiting(needed, position));
    }
  }
  return ordered;
}

/** An entry with the references that are still to be added, the next one last. */
function waiting(entry: Env, before: number) {
  return { entry, before, references: referencesIn(entry.value ?? '').reverse() };
}
