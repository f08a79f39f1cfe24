import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import {
  duplicate,
  type FieldError,
  forbiddenValue,
  invalidValue,
  notFoundValue,
  required,
} from '../kube/field-error.ts';
import { podValidationProblems } from '../kube/pod-validation.ts';

/**
 * API validation of a Pod: in the API server's words for the mistakes that admission makes most often (missing and repeated names,
 * images, mounts without a volume), in our own for the others.
 */
export function validatePod(pod: JsonObject, oldPod: JsonObject | null): FieldError[] {
  const spec = isJsonObject(pod.spec) ? pod.spec : {};
  const volumes = objects(spec.volumes);
  const errors = [
    ...volumeErrors(volumes),
    ...containerErrors(spec, new Set(volumes.map(({ name }) => name))),
    ...(oldPod === null ? [] : updateErrors(spec, isJsonObject(oldPod.spec) ? oldPod.spec : {})),
  ];
  if (errors.length > 0) return errors;
  const { metadata: _, ...rest } = pod;
  return podValidationProblems(rest).map(({ path, message }) => invalidValue(fieldPath(path), '', message));
}

/** The number of containers is fixed; other immutable fields are not compared. */
function updateErrors(spec: JsonObject, oldSpec: JsonObject): FieldError[] {
  return (['containers', 'initContainers'] as const).flatMap((list) => {
    if (objects(spec[list]).length === objects(oldSpec[list]).length) return [];
    const what = list === 'containers' ? 'containers' : 'init containers';
    return [forbiddenValue(`spec.${list}`, `pod updates may not add or remove ${what}`)];
  });
}

function volumeErrors(volumes: readonly JsonObject[]): FieldError[] {
  const seen = new Set<Json | undefined>();
  return volumes.flatMap(({ name }, index) => {
    const field = `spec.volumes[${index}].name`;
    const isRepeated = seen.has(name);
    seen.add(name);
    if (typeof name !== 'string' || name === '') return [required(field)];
    return [...labelErrors(field, name), ...(isRepeated ? [duplicate(field, name)] : [])];
  });
}

function containerErrors(spec: JsonObject, volumes: ReadonlySet<Json | undefined>): FieldError[] {
  const containers = objects(spec.containers);
  if (containers.length === 0) return [required('spec.containers')];
  const seen = new Set<Json | undefined>();
  return (['containers', 'initContainers'] as const).flatMap((list) =>
    objects(spec[list]).flatMap((container, index) => {
      const field = `spec.${list}[${index}]`;
      const { name, image } = container;
      const isRepeated = seen.has(name);
      seen.add(name);
      const nameErrors =
        typeof name !== 'string' || name === ''
          ? [required(`${field}.name`)]
          : [
              ...labelErrors(`${field}.name`, name),
              ...(isRepeated ? [duplicate(`${field}.name`, name)] : []),
            ];
      return [
        ...nameErrors,
        ...((image ?? '') === '' ? [required(`${field}.image`)] : []),
        ...mountErrors(field, objects(container.volumeMounts), volumes),
      ];
    }),
  );
}

function mountErrors(
  field: string,
  mounts: readonly JsonObject[],
  volumes: ReadonlySet<Json | undefined>,
): FieldError[] {
  const paths = new Set<Json | undefined>();
  return mounts.flatMap(({ name, mountPath }, index) => {
    const at = `${field}.volumeMounts[${index}]`;
    const isRepeated = paths.has(mountPath);
    paths.add(mountPath);
    return [
      ...(typeof name === 'string' && name !== '' ? [] : [required(`${at}.name`)]),
      ...(typeof name === 'string' && name !== '' && !volumes.has(name)
        ? [notFoundValue(`${at}.name`, name)]
        : []),
      ...((mountPath ?? '') === '' ? [required(`${at}.mountPath`)] : []),
      ...(isRepeated ? [invalidValue(`${at}.mountPath`, mountPath, 'must be unique')] : []),
    ];
  });
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const LABEL_PATTERN = new RegExp(`^${LABEL}$`);

/** apimachinery's IsDNS1123Label. */
function labelErrors(field: string, name: string): FieldError[] {
  const text = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`;
  return [
    ...(name.length > 63 ? [invalidValue(field, name, 'must be no more than 63 bytes')] : []),
    ...(LABEL_PATTERN.test(name) ? [] : [invalidValue(field, name, text)]),
  ];
}

/** `/spec/containers/0/name` → `spec.containers[0].name`. */
function fieldPath(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((part) =>
      /^\d+$/.test(part) ? `[${part}]` : `.${part.replaceAll('~1', '/').replaceAll('~0', '~')}`,
    )
    .join('')
    .slice(1);
}

function objects(list: Json | undefined): readonly JsonObject[] {
  return (isJsonArray(list) ? list : []).filter(isJsonObject);
}
