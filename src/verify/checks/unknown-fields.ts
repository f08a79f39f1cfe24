import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { applyGoPatch, parseGoPatch } from '../../policy/patch/go-patch.ts';
import type { Check } from '../check.ts';
import { listed } from './passes.ts';

const FIELD = 'fieldOfANewerVersion';

export const unknownFields: Check = {
  id: 'unknown-fields',
  title: 'fields that the webhook does not know are kept',
  why: 'A webhook that is older than the API server sends objects back without newer fields: native sidecars became ordinary init containers that way.',
  fix: 'Compute the patch on the JSON of the review, not on the types that your library knows.',
  scope: 'mutating',
  objects: 'all',
  async examine(subjects, object, session) {
    const [subject] = subjects;
    if (subject === undefined) return undefined;
    const plain = await session.admit(subjects, session.requestFor(subjects, object));
    const called = plain.trace.find((step) => step.type === 'webhook' && step.call !== undefined);
    if (called?.type !== 'webhook' || called.call === undefined) return undefined;
    // As a newer API server would send it.
    const sent = (called.call.review.request as JsonObject).object;
    if (!isJsonObject(sent)) return undefined;
    const newer = withUnknown(sent) as JsonObject;
    const reviewed = await session.review(subject, {
      ...session.requestFor(subjects, object),
      object: newer,
    });
    if ('error' in reviewed || !reviewed.response.patch) return undefined;
    const parsed = parseGoPatch(Buffer.from(reviewed.response.patch, 'base64').toString('utf8'));
    if ('error' in parsed) return undefined;
    const patched = applyGoPatch(newer, parsed.operations);
    if ('error' in patched) return undefined;
    const kept = new Set(places(patched.value, ''));
    const paths = places(newer, '').filter((path) => !kept.has(path));
    return paths.length === 0 ? undefined : { message: `drops unknown fields, at ${listed(paths)}`, paths };
  },
};

/** A new field in the object itself, its spec, its template, and every container and volume. */
function withUnknown(value: Json, key = ''): Json {
  if (isJsonArray(value)) return LISTS.has(key) ? value.map((item) => withUnknown(item, 'item')) : value;
  if (!isJsonObject(value)) return value;
  const next = Object.fromEntries(
    Object.entries(value).map(([name, child]) => [
      name,
      LISTS.has(name) || STRUCTS.has(name) ? withUnknown(child, name) : child,
    ]),
  );
  return { ...next, [FIELD]: 'keep' };
}

const STRUCTS = new Set(['spec', 'template', 'jobTemplate', 'securityContext']);
const LISTS = new Set(['containers', 'initContainers', 'volumes']);

/** The places of the new fields. Items are known by their names: a webhook may put others before them. */
function places(value: Json, path: string): string[] {
  if (isJsonArray(value))
    return value.flatMap((item, index) =>
      places(item, `${path}[${isJsonObject(item) ? String(item.name ?? index) : index}]`),
    );
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return key === FIELD ? [at] : places(child, at);
  });
}
