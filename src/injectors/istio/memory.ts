import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import { parsedJson } from '../../json/parsed-json.ts';
import { goJson, goJsonText } from './go-type.ts';
import { OVERRIDES, STATUS } from './names.ts';
import { object, textsOf } from './pod-json.ts';
import { container as containerType } from './pod-types.ts';

/** What an earlier injection wrote down on the Pod: what it added, and what of it was the user's. */
export interface Memory {
  readonly status?: {
    readonly containers: ReadonlySet<string>;
    readonly initContainers: ReadonlySet<string>;
  };
  readonly overrides: Overrides;
}

export interface Overrides {
  readonly containers: readonly JsonObject[];
  readonly initContainers: readonly JsonObject[];
}

export function memoryOf(pod: JsonObject): Memory {
  const annotations = textsOf(pod, 'annotations');
  const status = parsed(annotations[STATUS]);
  const overrides = parsed(annotations[OVERRIDES]);
  const items = (value: Json | undefined) => (isJsonArray(value) ? value.filter(isJsonObject) : []);
  return {
    ...(status && {
      status: { containers: names(status.containers), initContainers: names(status.initContainers) },
    }),
    overrides: { containers: items(overrides?.containers), initContainers: items(overrides?.initContainers) },
  };
}

/** Whether a text can be what `overridesText` once gave. */
export function isOverrides(text: string): boolean {
  const found = parsed(text);
  const isList = (value: Json | undefined) => isJsonArray(value ?? []);
  return found !== undefined && isList(found.containers) && isList(found.initContainers);
}

/** The annotation that remembers the user's containers; undefined where there are none. */
export function overridesText({ containers, initContainers }: Overrides): string | undefined {
  if (containers.length === 0 && initContainers.length === 0) return undefined;
  const write = (list: readonly JsonObject[]) => list.map((each) => goJson(each, containerType));
  return goJsonText({
    ...(containers.length > 0 && { containers: write(containers) }),
    ...(initContainers.length > 0 && { initContainers: write(initContainers) }),
  });
}

const statusTexts = new WeakMap<JsonObject, { readonly revision: string; readonly text: string }>();

/** The annotation that remembers what the templates name, the user's own included. */
export function statusText(template: JsonObject, revision: string): string {
  const known = statusTexts.get(template);
  if (known?.revision === revision) return known.text;
  const text = writtenStatus(template, revision);
  statusTexts.set(template, { revision, text });
  return text;
}

function writtenStatus(template: JsonObject, revision: string): string {
  const spec = object(template.spec);
  const list = (field: string): Json => {
    const found = [
      ...names(isJsonArray(spec[field]) ? spec[field].map((item) => object(item).name ?? '') : []),
    ];
    return found.length === 0 ? null : found;
  };
  return goJsonText({
    initContainers: list('initContainers'),
    containers: list('containers'),
    volumes: list('volumes'),
    imagePullSecrets: list('imagePullSecrets'),
    revision,
  });
}

function parsed(text: string | undefined): JsonObject | undefined {
  const value = text === undefined ? undefined : parsedJson(text);
  return isJsonObject(value) ? value : undefined;
}

function names(value: Json | undefined): ReadonlySet<string> {
  return new Set(isJsonArray(value) ? value.filter((name) => typeof name === 'string') : []);
}
