import { overlayConflict } from '../graft/overlay-conflict.ts';
import { shapeOf } from '../graft/shape-of.ts';
import type { JsonObject } from '../json/json.ts';
import { apiVersionOf, builtin, type ResourceRef } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { areDisjoint } from './disjoint-matches.ts';
import type { ResolvedMatch } from './resolve-match.ts';

/** What is known of an injector from its configuration: which objects it is for, and the overlay for each of them. */
export interface Claim {
  readonly name: string;
  readonly match: ResolvedMatch;
  readonly overlay: JsonObject;
}

/** Throws if two injectors can never agree on a place of an object that both are for. */
export function checkConflicts(claims: readonly Claim[]): void {
  // Which objects an expression is true for is not known before they arrive.
  const unconditional = claims.filter(({ match }) => !match.conditions?.length);
  for (const [index, one] of unconditional.entries()) {
    for (const other of unconditional.slice(index + 1)) {
      const path = conflictOf(one, other);
      if (path === undefined) continue;
      throw new PodgraftError(
        'INJECTORS_CONFLICT',
        `Injectors "${one.name}" and "${other.name}" do not agree on "${path}"`,
      );
    }
  }
}

function conflictOf(one: Claim, other: Claim): string | undefined {
  if (areDisjoint(one.match, other.match)) return undefined;
  for (const kind of commonKinds(one.match.kinds, other.match.kinds)) {
    const path = overlayConflict(one.overlay, other.overlay, shapeOf(apiVersionOf(kind), kind.kind));
    if (path !== undefined) return path;
  }
  return undefined;
}

type Kinds = ResolvedMatch['kinds'];

/** Kinds that both are for. Pods stand for all kinds. */
function commonKinds(one: Kinds, other: Kinds): readonly ResourceRef[] {
  if (one.includes('*')) return other.map((kind) => (kind === '*' ? POD : kind));
  const kinds = one.filter((kind) => kind !== '*');
  if (other.includes('*')) return kinds;
  return kinds.filter((kind) => other.some((rival) => rival !== '*' && isSameKind(kind, rival)));
}

const POD = builtin('Pod');

function isSameKind(one: ResourceRef, other: ResourceRef): boolean {
  return one.kind === other.kind && one.group === other.group;
}
