import * as v from 'valibot';
import { ConfigError, isJsonObject, type KubeObject } from '../../sdk/index.ts';
import { isInvalid, isMutatorKind, readMutator } from './resource/read-mutator.ts';
import { MUTATIONS_GROUP, PROVIDER } from './resource/resources.ts';

const resource = v.custom<KubeObject>(
  (value) => isJsonObject(value) && isJsonObject(value.metadata) && typeof value.kind === 'string',
  'expected a resource with apiVersion, kind and metadata',
);

export const optionsSchema = v.strictObject({
  /** Mutators and Providers of the configuration, besides those of the cluster. */
  resources: v.optional(v.array(resource), []),
  /** Whether to read those of the cluster. */
  cluster: v.optional(v.boolean(), true),
});

export interface Options {
  readonly mutators: readonly KubeObject[];
  readonly providers: ReadonlyMap<string, KubeObject>;
  readonly cluster: boolean;
}

/** Throws a ConfigError that names every field which is invalid. */
export function readOptions({ resources, cluster }: v.InferOutput<typeof optionsSchema>): Options {
  const mutators = resources.filter(({ kind }) => isMutatorKind(kind));
  const providers = resources.filter(({ kind }) => kind === PROVIDER.kind);
  const issues = resources.flatMap((each, index) => {
    const at = ['resources', index];
    if (each.kind === PROVIDER.kind) return [];
    if (!each.apiVersion?.startsWith(`${MUTATIONS_GROUP}/`)) {
      return [
        { path: [...at, 'apiVersion'], message: `expected ${MUTATIONS_GROUP}/v1 or another version of it` },
      ];
    }
    const read = readMutator(each);
    return isInvalid(read)
      ? read.problems.map(({ path, message }) => ({ path: [...at, ...path], message }))
      : [];
  });
  if (issues.length > 0) throw new ConfigError(issues);
  const byName = new Map(providers.map((each) => [each.metadata.name ?? '', each]));
  return { mutators, providers: byName, cluster };
}
