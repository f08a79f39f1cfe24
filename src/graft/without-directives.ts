import { isJsonArray, isJsonObject, type Json } from '../json/json.ts';
import { membersBefore, setMember } from '../json/member.ts';
import { withoutUndefined } from '../json/without-undefined.ts';
import { forcedValue, hasDirective, isAbsent, isDirectiveOfItem, isForce, isTokens } from './directive.ts';
import { withTokens } from './with-tokens.ts';

/** A wanted value for display: what its directives would set. Undefined if that is nothing. */
export function withoutDirectives(wanted: Json): Json | undefined {
  if (isJsonArray(wanted)) return itemsOf(wanted);
  if (!isJsonObject(wanted)) return wanted;
  if (hasDirective(wanted)) {
    if (isForce(wanted)) return withoutUndefined(forcedValue(wanted));
    if (isAbsent(wanted)) return undefined;
    if (isTokens(wanted)) return withTokens('', wanted);
  }
  let next: Record<string, Json> | undefined;
  for (const key in wanted) {
    const value = isDirectiveOfItem(key) ? undefined : withoutDirectives(wanted[key] as Json);
    if (next === undefined) {
      if (value === wanted[key] && value !== undefined) continue;
      next = membersBefore(key, wanted);
    }
    if (value !== undefined) setMember(next, key, value);
  }
  return next ?? wanted;
}

function itemsOf(wanted: readonly Json[]): readonly Json[] {
  let next: Json[] | undefined;
  for (const [index, item] of wanted.entries()) {
    const value = withoutDirectives(item);
    if (next === undefined && value === item) continue;
    next ??= wanted.slice(0, index);
    if (value !== undefined) next.push(value);
  }
  return next ?? wanted;
}
