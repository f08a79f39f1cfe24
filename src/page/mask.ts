import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { setMember } from '../json/member.ts';

/** Replaces what may be secret in objects, patches and reviews. */
export type Mask = <T extends Json>(value: T) => T;

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
  /** A path may lead right to a value. */
  const operation = (original: JsonObject, next: JsonObject): JsonObject => {
    const path = String(original.path);
    const { value } = original;
    if (value === undefined) return next;
    // The value before is not known here, and was another.
    if (isSecretPath(path)) return { ...next, value: `${MASKED} (changed)` };
    if (/\/env\/(\d+|-)$/.test(path) && isJsonObject(value)) return { ...next, value: variable(value) };
    if (/\/env$/.test(path)) return { ...next, value: visit(value, 'env') };
    return next;
  };
  return <T extends Json>(value: T) => visit(value, '') as T;
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
