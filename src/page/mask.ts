import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { setMember } from '../json/member.ts';
import type { Pointer } from '../json/pointer.ts';

/** Replaces what may be secret. */
export interface Mask {
  /** In an object, a patch or a review. */
  all<T extends Json>(value: T): T;
  /** In a value that is at this place of an object. */
  at(path: Pointer, value: Json): Json;
}

export const NO_MASK: Mask = { all: (value) => value, at: (_, value) => value };

const MASKED = '***';
/** It repeats the whole object. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Masks the values of environment variables, the data of Secrets, and the annotation in which kubectl repeats the object. One mask
 * for one view: a variable whose value changes gets another number, so that the change still shows.
 */
export function createMask(): Mask {
  const seen = new Map<string, string[]>();
  const masked = (name: string, value: Json): string => {
    const values = seen.get(name) ?? [];
    const text = JSON.stringify(value);
    if (!values.includes(text)) seen.set(name, [...values, text]);
    const index = (seen.get(name) ?? []).indexOf(text);
    return index === 0 ? MASKED : `${MASKED} (${index + 1})`;
  };
  const visit = (value: Json, key: string): Json => {
    if (isJsonArray(value)) {
      return value.map((item) => (key === 'env' && isJsonObject(item) ? variable(item) : visit(item, '')));
    }
    if (!isJsonObject(value)) return value;
    const isSecret = value.kind === 'Secret';
    const next: Record<string, Json> = {};
    for (const [name, part] of Object.entries(value)) {
      const isData = isSecret && (name === 'data' || name === 'stringData');
      if (isData && isJsonObject(part)) setMember(next, name, allMasked(part, name));
      else if (name === LAST_APPLIED) setMember(next, name, MASKED);
      else setMember(next, name, visit(part, name));
    }
    return isOperation(value) ? operation(value, next) : next;
  };
  const variable = (item: JsonObject): JsonObject =>
    item.value === undefined ? item : { ...item, value: masked(String(item.name), item.value) };
  const allMasked = (part: JsonObject, holder: string): JsonObject => {
    const entries = Object.entries(part).map(([name, value]) => [name, masked(`${holder}/${name}`, value)]);
    return Object.fromEntries(entries) as JsonObject;
  };
  const at = (path: Pointer, value: Json): Json => {
    if (isSecretPath(path)) return MASKED;
    if (/\/env\/(\d+|-)$/.test(path) && isJsonObject(value)) return variable(value);
    return visit(value, /\/env$/.test(path) ? 'env' : '');
  };
  const operation = (original: JsonObject, next: JsonObject): JsonObject => {
    const { path, value } = original;
    if (typeof path !== 'string' || value === undefined) return next;
    // The previous value is unknown but different.
    return { ...next, value: isSecretPath(path) ? `${MASKED} (changed)` : at(path, value) };
  };
  return { all: <T extends Json>(value: T) => visit(value, '') as T, at };
}

/** Whether a pointer leads to a value that is masked. */
function isSecretPath(path: string): boolean {
  return (
    /\/env\/\d+\/value$/.test(path) ||
    /^\/(data|stringData)(\/|$)/.test(path) ||
    path.endsWith(`/${LAST_APPLIED.replace('/', '~1')}`)
  );
}

function isOperation(value: JsonObject): boolean {
  return typeof value.op === 'string' && typeof value.path === 'string';
}
