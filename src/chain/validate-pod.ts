import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { duplicate, type FieldError, invalidValue, notFoundValue, required } from '../kube/field-error.ts';
import { podValidationProblems } from '../kube/pod-validation.ts';
import { podUpdateErrors } from './validate-pod-update.ts';

/**
 * API validation of a Pod: with the API server's messages for the most frequent mistakes of admission (missing and repeated names,
 * images, mounts without a volume), with podgraft's own for the others.
 */
export function validatePod(pod: JsonObject, oldPod: JsonObject | null): FieldError[] {
  const spec = isJsonObject(pod.spec) ? pod.spec : {};
  const update = oldPod === null ? [] : podUpdateErrors(spec, isJsonObject(oldPod.spec) ? oldPod.spec : {});
  return specErrors(spec, 'spec', [], update);
}

/** API validation of a Pod template. `claimVolumes` are volumes that its controller adds. */
export function validatePodTemplate(
  template: JsonObject,
  field: string,
  claimVolumes: readonly string[],
): FieldError[] {
  return specErrors(isJsonObject(template.spec) ? template.spec : {}, `${field}.spec`, claimVolumes, []);
}

function specErrors(
  spec: JsonObject,
  at: string,
  claimVolumes: readonly string[],
  others: readonly FieldError[],
): FieldError[] {
  const volumes = objects(spec.volumes);
  const names = new Set<Json | undefined>([...volumes.map(({ name }) => name), ...claimVolumes]);
  const errors = [...volumeErrors(volumes, at), ...containerErrors(spec, at, names), ...others];
  if (errors.length > 0) return errors;
  return podValidationProblems({ spec }, claimVolumes).map(({ path, message }) =>
    invalidValue(at + fieldPath(path).slice('spec'.length), '', message),
  );
}

function volumeErrors(volumes: readonly JsonObject[], at: string): FieldError[] {
  const seen = new Set<Json | undefined>();
  return volumes.flatMap(({ name }, index) => {
    const field = `${at}.volumes[${index}].name`;
    const isRepeated = seen.has(name);
    seen.add(name);
    if (typeof name !== 'string' || name === '') return [required(field)];
    return [...labelErrors(field, name), ...(isRepeated ? [duplicate(field, name)] : [])];
  });
}

function containerErrors(spec: JsonObject, at: string, volumes: ReadonlySet<Json | undefined>): FieldError[] {
  const containers = objects(spec.containers);
  if (containers.length === 0) return [required(`${at}.containers`)];
  const seen = new Set<Json | undefined>();
  return (['containers', 'initContainers'] as const).flatMap((list) =>
    objects(spec[list]).flatMap((container, index) => {
      const field = `${at}.${list}[${index}]`;
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
