import { isJsonObject, type JsonObject } from '../json/json.ts';
import { type FieldError, invalidValue, required } from '../kube/field-error.ts';
import { labelValueProblems, qualifiedNameProblems } from '../kube/qualified-name.ts';
import { metadataOf } from '../policy/cluster-objects.ts';

/** API validation of the metadata that admission may change: labels, annotations, name. */
export function validateMetadata(object: JsonObject): FieldError[] {
  const { labels, annotations, name } = metadataOf(object);
  const keys = (field: string, members: unknown, lower: boolean) =>
    (isJsonObject(members) ? Object.keys(members) : []).flatMap((key) =>
      qualifiedNameProblems(lower ? key.toLowerCase() : key).map((problem) =>
        invalidValue(field, key, problem),
      ),
    );
  const values = (isJsonObject(labels) ? Object.entries(labels) : []).flatMap(([, value]) =>
    typeof value === 'string'
      ? labelValueProblems(value).map((problem) => invalidValue('metadata.labels', value, problem))
      : [],
  );
  return [
    ...(typeof name === 'string' && name !== ''
      ? []
      : [required('metadata.name', 'name or generateName is required')]),
    ...keys('metadata.annotations', annotations, true),
    ...keys('metadata.labels', labels, false),
    ...values,
  ];
}
