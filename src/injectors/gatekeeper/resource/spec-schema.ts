import * as v from 'valibot';
import type { DeepReadonly, Json, LabelSelector } from '../../../sdk/index.ts';
import { selectorProblem } from './selector-problem.ts';

const texts = v.optional(v.array(v.string()), []);

/** As the CustomResourceDefinitions have it: a star at the beginning, at the end, or both. */
const wildcard = v.pipe(
  v.string(),
  v.regex(
    /^\*?[-:a-z0-9]*\*?$/,
    ({ received }) => `expected lower-case letters, digits, "-" and a "*" at either end, found ${received}`,
  ),
);

const selector = v.pipe(
  v.custom<DeepReadonly<LabelSelector>>(
    (value) => typeof value === 'object' && value !== null,
    'expected a map',
  ),
  v.rawCheck(({ dataset, addIssue }) => {
    const problem = dataset.typed ? selectorProblem(dataset.value) : undefined;
    if (problem !== undefined) addIssue({ message: problem });
  }),
);

/** Strict: ignoring an unknown criterion would apply the mutator to more objects than its author meant. */
const match = v.optional(
  v.strictObject({
    source: v.optional(v.picklist(['All', 'Generated', 'Original']), 'All'),
    kinds: v.optional(v.array(v.strictObject({ apiGroups: texts, kinds: texts })), []),
    /** As in Gatekeeper, any text but `Cluster` and `Namespaced` matches both. */
    scope: v.optional(v.string(), '*'),
    namespaces: v.optional(v.array(wildcard), []),
    excludedNamespaces: v.optional(v.array(wildcard), []),
    labelSelector: v.optional(selector),
    namespaceSelector: v.optional(selector),
    name: v.optional(wildcard, ''),
  }),
  {},
);

const needed = (what: string) => v.pipe(texts, v.minLength(1, `expected at least one ${what}`));

const operations = v.pipe(
  v.optional(v.array(v.picklist(['CREATE', 'UPDATE', '*'])), []),
  v.check((list) => new Set(list).size === list.length, 'an operation is repeated'),
  v.check((list) => list.length <= 1 || !list.includes('*'), '"*" cannot be combined with other operations'),
);

const applyTo = v.pipe(
  v.optional(
    v.array(
      v.strictObject({
        groups: needed('group'),
        versions: needed('version'),
        kinds: needed('kind'),
        operations,
      }),
    ),
    [],
  ),
  v.minLength(1, 'expected at least one entry'),
);

const pathTests = v.optional(
  v.array(
    v.strictObject({
      subPath: v.optional(v.string(), ''),
      condition: v.picklist(['MustExist', 'MustNotExist']),
    }),
  ),
  [],
);

const externalData = v.pipe(
  v.strictObject({
    provider: v.pipe(v.string(), v.minLength(1, 'expected the name of a Provider')),
    dataSource: v.optional(v.picklist(['ValueAtLocation', 'Username']), 'ValueAtLocation'),
    failurePolicy: v.optional(v.picklist(['Fail', 'Ignore', 'UseDefault']), 'Fail'),
    default: v.optional(v.string(), ''),
  }),
  v.check(
    (data) => data.failurePolicy !== 'UseDefault' || data.default !== '',
    'failurePolicy UseDefault needs a default',
  ),
);

const SOURCES = ['value', 'fromMetadata', 'externalData'] as const;

const assign = v.pipe(
  v.optional(
    v.strictObject({
      value: v.optional(v.custom<Json>(() => true)),
      fromMetadata: v.nullish(v.strictObject({ field: v.picklist(['name', 'namespace']) })),
      externalData: v.nullish(externalData),
    }),
    {},
  ),
  v.check(
    (source) => SOURCES.filter((name) => (source[name] ?? null) !== null).length === 1,
    'expected exactly one of value, fromMetadata and externalData',
  ),
);

export type AssignSource = v.InferOutput<typeof assign>;
export type MatchSpec = v.InferOutput<typeof match>;
export type ApplyTo = v.InferOutput<typeof applyTo>[number];

const location = v.optional(v.string(), '');

/** With the defaults of the CustomResourceDefinitions: files have not been through an API server. */
export const specSchemas = {
  Assign: v.strictObject({
    applyTo,
    match,
    location,
    parameters: v.optional(v.strictObject({ assign, pathTests }), {}),
  }),
  AssignImage: v.strictObject({
    applyTo,
    match,
    location,
    parameters: v.optional(
      v.strictObject({
        assignDomain: v.optional(v.string(), ''),
        assignPath: v.optional(v.string(), ''),
        assignTag: v.optional(v.string(), ''),
        pathTests,
      }),
      {},
    ),
  }),
  AssignMetadata: v.strictObject({
    match,
    location,
    parameters: v.optional(v.strictObject({ assign }), {}),
  }),
  ModifySet: v.strictObject({
    applyTo,
    match,
    location,
    parameters: v.optional(
      v.strictObject({
        operation: v.optional(v.picklist(['merge', 'prune']), 'merge'),
        values: v.optional(v.strictObject({ fromList: v.optional(v.array(v.custom<Json>(() => true))) }), {}),
        pathTests,
      }),
      {},
    ),
  }),
};
