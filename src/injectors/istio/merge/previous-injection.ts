import {
  cacheByObject,
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  tryParseJson,
} from '../../../sdk/index.ts';
import { OVERRIDES, STATUS } from '../names.ts';
import { metadataOf } from '../pod-json.ts';
import { goJson, goJsonText } from '../pod-types/go-json.ts';
import type { TemplateNames } from './merge-templates.ts';

/** What an earlier injection recorded in the Pod's annotations. */
export interface PreviousInjection {
  /** Names of the containers that it added or changed; undefined if there was no injection. */
  readonly status:
    | { readonly containers: ReadonlySet<string>; readonly initContainers: ReadonlySet<string> }
    | undefined;
  /** The user's own settings of those containers. */
  readonly overrides: Overrides;
  /** The names of the Pod's containers before the injection, if the Pod does not show them. */
  readonly before: ContainerNames | undefined;
}

export interface ContainerNames {
  readonly containers: readonly string[];
  readonly initContainers: readonly string[];
}

export interface Overrides {
  readonly containers: readonly JsonObject[];
  readonly initContainers: readonly JsonObject[];
}

export function previousInjection(pod: JsonObject): PreviousInjection {
  const annotations = metadataOf(pod, 'annotations');
  if (annotations[STATUS] === undefined && annotations[OVERRIDES] === undefined) return NO_INJECTION;
  const status = parsed(annotations[STATUS]);
  const overrides = annotations[OVERRIDES] === undefined ? undefined : recordedOverrides(annotations);
  const before = status?.[BEFORE];
  return {
    status: status && {
      containers: new Set(list(status.containers).filter(isString)),
      initContainers: new Set(list(status.initContainers).filter(isString)),
    },
    overrides: {
      containers: list(overrides?.containers).filter(isJsonObject),
      initContainers: list(overrides?.initContainers).filter(isJsonObject),
    },
    before: isJsonObject(before)
      ? {
          containers: list(before.containers).filter(isString),
          initContainers: list(before.initContainers).filter(isString),
        }
      : undefined,
  };
}

/** Read once to be checked and used: it can have hundreds of kilobytes. */
export const recordedOverrides = cacheByObject((annotations: Readonly<Record<string, string>>) =>
  parsed(annotations[OVERRIDES]),
);

const NO_INJECTION: PreviousInjection = {
  status: undefined,
  overrides: { containers: [], initContainers: [] },
  before: undefined,
};

/** Podgraft's own key in the status. istiod ignores it. */
const BEFORE = 'podgraft.dev/before';

function parsed(text: string | undefined): JsonObject | undefined {
  const value = text === undefined ? undefined : tryParseJson(text);
  return isJsonObject(value) ? value : undefined;
}

function list(value: Json | undefined): readonly Json[] {
  return isJsonArray(value) ? value : [];
}

function isString(value: Json): value is string {
  return typeof value === 'string';
}

/** The annotation that records the user's settings; undefined if there are none. */
export function overridesText({ containers, initContainers }: Overrides): string | undefined {
  if (containers.length === 0 && initContainers.length === 0) return undefined;
  const write = (items: readonly JsonObject[]) => items.map((each) => goJson(each, 'Container'));
  return goJsonText({
    ...(containers.length > 0 && { containers: write(containers) }),
    ...(initContainers.length > 0 && { initContainers: write(initContainers) }),
  });
}

/** The annotation that records the names in the templates. */
export function statusText(
  names: TemplateNames,
  revision: string,
  before: ContainerNames | undefined,
): string {
  const own =
    before === undefined
      ? ''
      : `,"${BEFORE}":${goJsonText({ containers: before.containers, initContainers: before.initContainers })}`;
  return `{${names.text},"revision":${goJsonText(revision)}${own}}`;
}
