import * as v from 'valibot';
import {
  cacheByObject,
  isJsonObject,
  isNestedDeeper,
  isQuantity,
  type Json,
  type JsonObject,
  type KubeObject,
  quoted,
  type ResourceRef,
  shortened,
  typeProblem,
  withoutNulls,
} from '../../../sdk/index.ts';

/** A resource of the operator. */
export function operatorResource(version: string, kind: string): ResourceRef {
  const resource = `${kind.toLowerCase()}s`;
  return { group: 'opentelemetry.io', version, kind, resource, namespaced: true };
}

/** Any map, for fields whose types the parser checks, and whose values the API server validates when the Pod is stored. */
export const ANY_MAP: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

export const REQUIRED_TEXT: JsonObject = { type: 'string', minLength: 1 };
export const requiredText = withOpenApi(
  v.pipe(v.string(), v.nonEmpty('expected a non-empty string')),
  REQUIRED_TEXT,
);

export const QUANTITY: JsonObject = {
  anyOf: [{ type: 'integer' }, { type: 'string' }],
  'x-kubernetes-int-or-string': true,
};

export const quantity = withOpenApi(
  v.pipe(
    v.union([v.string(), v.number()]),
    v.transform(String),
    v.check(isQuantity, 'expected a quantity such as 200Mi'),
  ),
  QUANTITY,
);

const AMOUNTS: JsonObject = { type: 'object', additionalProperties: QUANTITY };

export const RESOURCE_REQUIREMENTS: JsonObject = {
  type: 'object',
  properties: { limits: AMOUNTS, requests: AMOUNTS, claims: { type: 'array', items: ANY_MAP } },
};

export const imagePullPolicy = v.optional(v.picklist(['Always', 'IfNotPresent', 'Never']));

/**
 * A field of a type that Kubernetes defines, and its schema in the CustomResourceDefinition. All parts have the types of the
 * definition, except that any may be null.
 */
export function kubernetesType<T>(definition: string, openApi: JsonObject = ANY_MAP) {
  return withOpenApi(
    v.pipe(v.custom<T>(isJsonObject, 'expected a map'), decodableAs<T>(definition)),
    openApi,
  );
}

function decodableAs<T>(definition: string) {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    const problem = dataset.typed ? typeProblem(dataset.value as JsonObject, definition) : undefined;
    if (problem !== undefined) addIssue({ message: problem });
  });
}

/** The same, with members that are texts. Without them every Pod would become invalid. */
export function typeWith<T>(definition: string, members: readonly string[], openApi: JsonObject = ANY_MAP) {
  const isComplete = (value: unknown): boolean =>
    isJsonObject(value) && members.every((key) => typeof value[key] === 'string' && value[key] !== '');
  const texts = Object.fromEntries(members.map((key) => [key, REQUIRED_TEXT]));
  const properties = { ...(openApi.properties as JsonObject | undefined), ...texts };
  const complete = v.custom<T>(isComplete, `expected a map with ${members.join(' and ')}`);
  return withOpenApi(v.pipe(complete, decodableAs<T>(definition)), {
    ...openApi,
    properties,
    required: [...members],
  });
}

/** Adds what cannot be derived for the CustomResourceDefinition. Metadata of valibot would be in the published JSON Schema too. */
export function withOpenApi<const S extends v.GenericSchema>(schema: S, openApi: JsonObject): S {
  return Object.assign(schema, { openApi });
}

export interface Resource<Spec> {
  readonly name: string;
  readonly namespace: string;
  readonly spec: Spec;
}

export type Invalid = { readonly problem: string };

/** As deep as a Pod may be. Far deeper ones would overflow the stack wherever they are used. */
const MOST_NESTED = 100;

/**
 * Returns a parser for resources of one kind, which parses each object of the cluster view once. Members that are null are absent
 * from the result, except in a collector's own configuration, where they have a meaning.
 */
export function resourceParser<const S extends v.GenericSchema>({ kind }: ResourceRef, schema: S) {
  return cacheByObject((object: KubeObject): Resource<v.InferOutput<S>> | Invalid => {
    const { name = '', namespace = '' } = object.metadata;
    const invalid = (problem: string) => ({ problem: `invalid ${kind} ${quoted(name)}: ${problem}` });
    if (isNestedDeeper(object.spec as Json | undefined, MOST_NESTED))
      return invalid(`spec is nested more than ${MOST_NESTED} levels deep`);
    const result = v.safeParse(schema, object.spec ?? {});
    if (result.success)
      return { name, namespace, spec: withoutNulls(result.output as Json, 'config') as typeof result.output };
    const [issue] = result.issues;
    const path = shortened(v.getDotPath(issue) ?? '');
    if (issue.type === 'raw_check') return invalid(`spec.${path}: ${issue.message}`);
    // Other issues have a standard message, which repeats the value.
    const hasMessage = ['custom', 'check', 'non_empty'].includes(issue.type);
    const expected = hasMessage ? issue.message : `expected ${issue.expected}`;
    return invalid(`spec.${path}: ${expected}, found ${shortened(issue.received)}`);
  });
}

/** The parts of a valibot schema that `openApiSchema` converts. */
interface SchemaParts {
  readonly type: string;
  readonly wrapped?: v.GenericSchema;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly value?: v.GenericSchema;
  readonly options?: readonly string[];
  readonly pipe?: readonly { readonly type: string; readonly requirement?: unknown }[];
  readonly openApi?: JsonObject;
}

/** Derives the schema of a CustomResourceDefinition. */
export function openApiSchema(schema: v.GenericSchema): JsonObject {
  const parts = schema as unknown as SchemaParts;
  if (parts.wrapped !== undefined) return openApiSchema(parts.wrapped);
  const { openApi = {} } = parts;
  return 'type' in openApi || 'anyOf' in openApi ? openApi : { ...derived(parts), ...openApi };
}

function derived({ type, entries, item, value, options, pipe = [] }: SchemaParts): JsonObject {
  if (entries !== undefined) {
    const required = Object.keys(entries).filter((key) => !entries[key]?.type.includes('optional'));
    const properties = Object.entries(entries).map(([key, entry]) => [key, openApiSchema(entry)]);
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required: required.sort() }),
    };
  }
  if (item !== undefined) return { type: 'array', items: openApiSchema(item) };
  if (value !== undefined) return { type: 'object', additionalProperties: openApiSchema(value) };
  if (options !== undefined) return { type: 'string', enum: options };
  const maxLength = pipe.find((action) => action.type === 'max_length')?.requirement as number | undefined;
  const pattern = pipe.find((action) => action.type === 'regex')?.requirement as RegExp | undefined;
  return { type, ...(maxLength && { maxLength }), ...(pattern && { pattern: pattern.source }) };
}
