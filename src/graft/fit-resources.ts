import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { member, withMember } from '../json/member.ts';
import { isLess } from '../kube/quantity.ts';
import { atLeast, forcedValue, isAtLeast, isForce, minimumOf } from './directive.ts';

/**
 * The `resources` of an overlay, fitted to those of the object, because a request above its limit is rejected: a default
 * request is lowered to the limit that is there, a default limit raised to the request that is there. What is forced stays.
 */
export function fitResources(overlay: JsonObject, found: Json | undefined): JsonObject {
  if (!isJsonObject(found)) return overlay;
  const limits = amounts(found, overlay, 'limits');
  const requests = amounts(found, overlay, 'requests');
  const lowered = withFitted(overlay, 'requests', (name, amount) => {
    const limit = limits(name);
    return isLess(limit, amount) ? limit : amount;
  });
  return withFitted(lowered, 'limits', (name, amount) => {
    const request = requests(name);
    return isLess(amount, request) ? request : amount;
  });
}

type Amount = string | number;

/** The amount of a resource before anything is filled: forced, or found and raised to its minimum. */
function amounts(
  found: JsonObject,
  overlay: JsonObject,
  field: string,
): (name: string) => Amount | undefined {
  const current = mapAt(found, field);
  const wanted = mapAt(overlay, field);
  return (name) => {
    const wish = member(wanted, name) ?? null;
    if (isForce(wish)) return asAmount(forcedValue(wish));
    const amount = asAmount(member(current, name) ?? null);
    return isAtLeast(wish) && isLess(amount, minimumOf(wish)) ? minimumOf(wish) : amount;
  };
}

/** Replaces the amounts that an overlay would fill in or raise to. */
function withFitted(
  overlay: JsonObject,
  field: string,
  fitted: (name: string, amount: Amount) => Amount | undefined,
): JsonObject {
  const wanted = mapAt(overlay, field);
  let next = wanted;
  for (const [name, wish] of Object.entries(wanted)) {
    const amount = isAtLeast(wish) ? minimumOf(wish) : asAmount(wish);
    const other = amount === undefined ? undefined : fitted(name, amount);
    if (other === undefined || other === amount) continue;
    next = withMember(next, name, isAtLeast(wish) ? atLeast(other) : other);
  }
  return next === wanted ? overlay : withMember(overlay, field, next);
}

function mapAt(object: JsonObject, field: string): JsonObject {
  const value = member(object, field) ?? null;
  return isJsonObject(value) ? value : {};
}

function asAmount(value: Json): Amount | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}
