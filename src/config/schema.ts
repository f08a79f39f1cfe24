import * as v from 'valibot';
import { DEFAULT_EXCLUDED_NAMESPACES } from '../pipeline/pipeline.ts';

const strings = v.record(v.string(), v.string());

const labelSelector = v.strictObject({
  matchLabels: v.optional(strings),
  matchExpressions: v.optional(
    v.array(
      v.strictObject({
        key: v.string(),
        operator: v.picklist(['In', 'NotIn', 'Exists', 'DoesNotExist']),
        values: v.optional(v.array(v.string())),
      }),
    ),
  ),
});

const resource = v.strictObject({
  group: v.string(),
  version: v.string(),
  kind: v.string(),
  resource: v.string(),
  namespaced: v.boolean(),
});

const patterns = v.array(v.string());

const exclusion = v.strictObject({
  namespaces: v.optional(patterns),
  names: v.optional(patterns),
  users: v.optional(patterns),
  groups: v.optional(patterns),
  objectSelector: v.optional(labelSelector),
  hasAnnotations: v.optional(v.array(v.string())),
});

const match = v.strictObject({
  kinds: v.optional(v.array(v.union([v.string(), resource]))),
  operations: v.optional(v.array(v.picklist(['CREATE', 'UPDATE', '*']))),
  namespaces: v.optional(patterns),
  namespaceSelector: v.optional(labelSelector),
  objectSelector: v.optional(labelSelector),
  annotations: v.optional(strings),
  hasAnnotations: v.optional(v.array(v.string())),
  names: v.optional(patterns),
  users: v.optional(patterns),
  groups: v.optional(patterns),
  exclude: v.optional(exclusion),
  conditions: v.optional(v.array(v.string())),
});

const entry = v.strictObject({
  name: v.pipe(
    v.string(),
    v.regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'expected lower-case letters, digits and "-"'),
  ),
  use: v.string(),
  match: v.optional(match),
  onError: v.optional(v.picklist(['fail', 'skip']), 'fail'),
  with: v.optional(v.unknown()),
});

const workload = v.strictObject({
  apiVersion: v.string(),
  kind: v.string(),
  podTemplate: v.pipe(
    v.string(),
    v.regex(/^[^./]+(\.[^./]+)*$/, 'expected the path of the Pod template, such as spec.template'),
  ),
});

/** `podgraft.yaml`. The injector itself parses `with:`. */
export const configSchema = v.strictObject({
  apiVersion: v.literal('podgraft.dev/v1alpha1'),
  kind: v.literal('Config'),
  injectors: v.array(entry),
  exclude: v.optional(
    v.strictObject({ namespaces: v.optional(v.array(v.string()), [...DEFAULT_EXCLUDED_NAMESPACES]) }),
    {},
  ),
  oversized: v.optional(v.picklist(['allow', 'deny']), 'allow'),
  workloads: v.optional(v.array(workload), []),
  validate: v.optional(v.picklist(['deny', 'warn']), 'deny'),
});

export type RawConfig = v.InferOutput<typeof configSchema>;
export type RawEntry = v.InferOutput<typeof entry>;
