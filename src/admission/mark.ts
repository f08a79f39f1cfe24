import { isJsonObject } from '../json/json.ts';
import type { Operation } from '../json/operation.ts';
import { pointer } from '../json/pointer.ts';
import { annotationsOf, asJson, type KubeObject } from '../kube/kube-object.ts';
import type { SelectedStages } from '../pipeline/select-stages.ts';
import type { Outcome } from '../pipeline/trace.ts';

/*
 * With a final check, replicas with different configurations must agree during a rolling update: one injects, another checks. The
 * mark names the injectors that an object has been through, and the check is limited to those that both replicas have in common.
 * Why this is sound, and what was rejected: docs/decisions/rollouts.md.
 */

export const MARK = 'podgraft.dev/injected';

/** The injectors of this server, by name, each as `name=fingerprint`. */
export interface Mark {
  readonly injectors: ReadonlyMap<string, string>;
  readonly text: string;
}

export function createMark(fingerprints: ReadonlyMap<string, string>): Mark {
  const injectors = new Map([...fingerprints].map(([name, hash]) => [name, `${name}=${hash}`]));
  return { injectors, text: [...injectors.values()].join(' ') };
}

/** The object as injectors see it: what depends on all annotations must not change once the mark is among them. */
export function withoutMark(object: KubeObject): KubeObject {
  const { metadata } = object;
  if (!isJsonObject(metadata) || !Object.hasOwn(annotationsOf(object), MARK)) return object;
  const { [MARK]: _, ...annotations } = annotationsOf(object);
  // Kept even if it is empty, so that a patch for this object applies to the one with the mark.
  return { ...object, metadata: { ...metadata, annotations } };
}

/**
 * Writes the mark, also over one that the object came with: users who can only create objects cannot choose it. The outcome is
 * that of the object without the mark.
 */
export function withMark(outcome: Outcome, object: KubeObject, { injectors, text }: Mark): Outcome {
  if (!outcome.allowed) return outcome;
  const failed = outcome.trace.filter(({ decision }) => decision === 'failed');
  // The check must not require the changes of a skipped injector.
  const done = [...injectors].filter(([name]) => !failed.some(({ injector }) => injector === name));
  const value = failed.length === 0 ? text : done.map(([, entry]) => entry).join(' ');
  const operation = marking(object, outcome.object, value);
  return operation === undefined ? outcome : { ...outcome, patch: [...outcome.patch, operation] };
}

function marking(object: KubeObject, injected: KubeObject, value: string): Operation | undefined {
  if (annotationsOf(object)[MARK] === value) return undefined;
  const { annotations } = asJson(injected.metadata);
  if (annotations === undefined || annotations === null) {
    return { op: 'add', path: '/metadata/annotations', value: { [MARK]: value } };
  }
  // Otherwise the API server will reject it.
  if (!isJsonObject(annotations)) return undefined;
  return { op: 'add', path: pointer(['metadata', 'annotations', MARK]), value };
}

/** Drops the injectors that the object's mark does not list with the same fingerprint. Without a mark, keeps all. */
export function agreedStages(
  selection: SelectedStages,
  object: KubeObject,
  { injectors, text }: Mark,
): SelectedStages {
  const found = isJsonObject(asJson(object).metadata) ? annotationsOf(object)[MARK] : undefined;
  if (typeof found !== 'string' || found === text) return selection;
  const known = new Set(found.split(' '));
  return {
    ...selection,
    candidates: selection.candidates.map((candidate) =>
      known.has(injectors.get(candidate.stage.name) ?? '')
        ? candidate
        : { stage: candidate.stage, mismatch: candidate.mismatch ?? DIFFERS },
    ),
  };
}

const DIFFERS = 'injected by a server with another configuration';
