import { type LocationNode, locationText } from '../location/location.ts';
import { type Mutator, operationsOf } from '../resource/mutator.ts';

/** Mutators whose locations cannot all be right for one kind of object. */
export interface Conflict {
  readonly mutators: readonly Mutator[];
  /** What they disagree about. */
  readonly reason: string;
}

/**
 * Locations imply a schema: `spec.containers[name: *]` means that containers is a list with key `name`. Two of them conflict
 * if they give a place two types or a list two keys, or if one leads below a place where the other must end. Independent of
 * the mutators' order.
 */
export function schemaConflicts(mutators: readonly Mutator[]): readonly Conflict[] {
  const roots = new Map<string, Place>();
  for (const mutator of mutators) {
    for (const binding of bindingsOf(mutator)) {
      const root = roots.get(binding) ?? newPlace();
      roots.set(binding, root);
      addPath(root, mutator);
    }
  }
  const found = new Map<string, Conflict>();
  for (const [binding, root] of roots) {
    for (const { mutators, reason } of conflictsBelow(root)) {
      const known = mutators.toSorted((one, other) => (one.title < other.title ? -1 : 1));
      const text = `${reason} of ${binding.slice(0, binding.indexOf(' '))}`;
      found.set(`${text} ${known.map(({ title }) => title).join()}`, { mutators: known, reason: text });
    }
  }
  return [...found.values()];
}

export function conflictText({ mutators, reason }: Conflict): string {
  const titles = mutators.map(({ title }) => title);
  return `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)} conflict and are switched off: ${reason}`;
}

type PlaceType = 'map' | 'list' | 'set' | 'text' | 'unknown';

interface Place {
  readonly users: Set<Mutator>;
  /** Those whose location must end here. */
  readonly ends: Set<Mutator>;
  /** By field or key, then by type. */
  readonly children: Map<string, Map<PlaceType, Place>>;
  readonly nodes: readonly LocationNode[];
}

function newPlace(nodes: readonly LocationNode[] = []): Place {
  return { users: new Set(), ends: new Set(), children: new Map(), nodes };
}

/** `apps/v1/Deployment CREATE`. AssignMetadata has no schema. */
function bindingsOf({ applyTo = [] }: Mutator): ReadonlySet<string> {
  const bindings = new Set<string>();
  for (const entry of applyTo) {
    for (const group of entry.groups)
      for (const version of entry.versions)
        for (const kind of entry.kinds)
          for (const operation of operationsOf(entry))
            bindings.add(`${group === '' ? '' : `${group}/`}${version}/${kind} ${operation}`);
  }
  return bindings;
}

function addPath(root: Place, mutator: Mutator): void {
  const { nodes } = mutator.location;
  let place = root;
  place.users.add(mutator);
  for (const [index, node] of nodes.entries()) {
    const key = node.type === 'field' ? node.name : node.key;
    const types = place.children.get(key) ?? new Map<PlaceType, Place>();
    place.children.set(key, types);
    const type = typeAt(mutator, index);
    const child = types.get(type) ?? newPlace(nodes.slice(0, index + 1));
    types.set(type, child);
    place = child;
    place.users.add(mutator);
  }
  const { type } = mutator.change;
  if (type === 'externalData' || type === 'image') place.ends.add(mutator);
}

/** A place is a map or a list by the step that follows it. */
function typeAt({ location, change }: Mutator, index: number): PlaceType {
  const next = location.nodes[index + 1];
  if (next !== undefined) return next.type === 'field' ? 'map' : 'list';
  if (change.type === 'merge' || change.type === 'prune') return 'set';
  return change.type === 'image' ? 'text' : 'unknown';
}

function* conflictsBelow(place: Place): Generator<Conflict> {
  for (const types of place.children.values()) {
    const places = [...types.values()];
    const [first] = places as [Place];
    const name = `"${locationText(first.nodes)}"`;
    const known = [...types].filter(([type]) => type !== 'unknown');
    if (known.length > 1) {
      const names = known.map(([type]) => `a ${type}`).sort();
      const mutators = known.flatMap(([, { users }]) => [...users]);
      yield { mutators, reason: `${name} is ${names.join(' and ')}` };
    }
    const list = types.get('list');
    if (list !== undefined && list.children.size > 1) {
      const keys = [...list.children.keys()].sort().map((each) => `"${each}"`);
      yield {
        mutators: [...list.users],
        reason: `the elements of ${name} have the keys ${keys.join(' and ')}`,
      };
    }
    const ends = places.flatMap((each) => [...each.ends]);
    const below = places.flatMap((each) =>
      [...each.children.values()].flatMap((children) =>
        [...children.values()].flatMap(({ users }) => [...users]),
      ),
    );
    if (ends.length > 0 && below.length > 0) {
      yield { mutators: [...new Set([...ends, ...below])], reason: `${name} is a string and has fields` };
    }
    for (const child of places) yield* conflictsBelow(child);
  }
}
