import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { sameJson } from '../json/same-json.ts';
import { type FieldError, forbiddenValue } from '../kube/field-error.ts';

const LISTS = ['containers', 'initContainers'] as const;
const OTHER_FIELDS =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** Changes of a Pod's spec that an update may not make. The API server appends a diff of its internal types to the message, which is left out. */
export function podUpdateErrors(spec: JsonObject, oldSpec: JsonObject): FieldError[] {
  const counts = LISTS.flatMap((list) => {
    if (objects(spec[list]).length === objects(oldSpec[list]).length) return [];
    const what = list === 'containers' ? 'containers' : 'init containers';
    return [forbiddenValue(`spec.${list}`, `pod updates may not add or remove ${what}`)];
  });
  if (counts.length > 0) return counts;
  const tolerations = tolerationErrors(spec.tolerations, oldSpec.tolerations);
  return sameJson(immutable(spec, oldSpec), immutable(oldSpec, oldSpec))
    ? tolerations
    : [...tolerations, forbiddenValue('spec', OTHER_FIELDS)];
}

/** A toleration may get another `tolerationSeconds`, and new ones may be added. */
function tolerationErrors(now: Json | undefined, before: Json | undefined): FieldError[] {
  const isKept = objects(before).every(({ tolerationSeconds: _, ...old }) =>
    objects(now).some(({ tolerationSeconds: __, ...toleration }) => sameJson(toleration, old)),
  );
  return isKept
    ? []
    : [
        forbiddenValue(
          'spec.tolerations',
          'existing toleration can not be modified except its tolerationSeconds',
        ),
      ];
}

/** Without the mutable fields. */
function immutable(spec: JsonObject, oldSpec: JsonObject): JsonObject {
  const {
    activeDeadlineSeconds: _,
    tolerations: __,
    terminationGracePeriodSeconds: seconds,
    containers,
    initContainers,
    ...rest
  } = spec;
  const wasNegative = Number(oldSpec.terminationGracePeriodSeconds) < 0 && seconds === 1;
  return {
    ...rest,
    terminationGracePeriodSeconds: (wasNegative ? oldSpec.terminationGracePeriodSeconds : seconds) ?? null,
    containers: withoutImages(containers),
    initContainers: withoutImages(initContainers),
  };
}

function withoutImages(containers: Json | undefined): JsonObject[] {
  return objects(containers).map(({ image: _, ...rest }) => rest);
}

function objects(list: Json | undefined): readonly JsonObject[] {
  return (isJsonArray(list) ? list : []).filter(isJsonObject);
}
