import {
  asJson,
  builtin,
  type Context,
  configFrom,
  type DeepReadonly,
  defineInjector,
  fault,
  type JsonObject,
  type KubeObject,
  PodgraftError,
  type ReadRef,
  sameJson,
  skip,
  type Verdict,
} from '../../sdk/index.ts';
import { resolvePlaceholders } from './external-data/resolve.ts';
import { lintMutators } from './lint-mutators.ts';
import { mutate } from './mutate/mutate.ts';
import type { Subject } from './mutate/subject.ts';
import { type Options, optionsSchema, readOptions } from './options.ts';
import { resourceDefinitions } from './resource/resource-definitions.ts';
import { MUTATOR_KINDS, MUTATORS, PROVIDER } from './resource/resources.ts';
import { sample } from './sample.ts';
import { isMutated, type SelectedMutators, systemOf } from './system/system.ts';
import { systemProblems } from './system/system-problems.ts';
import { webhookKinds } from './system/webhook-kinds.ts';
import { disabledWarnings, dryRunWarnings } from './warnings.ts';

const parse = configFrom(optionsSchema);

export const gatekeeper = defineInjector<Options, KubeObject>({
  name: 'gatekeeper',
  summary: "Runs Gatekeeper's mutation policies: Assign, AssignImage, AssignMetadata and ModifySet",
  sample,
  match: { kinds: ['*'], operations: ['CREATE', 'UPDATE'] },
  kindsFrom: ({ mutators, cluster: isRead }, cluster) =>
    isRead && cluster === undefined
      ? undefined
      : webhookKinds(systemOf(mutators, isRead ? cluster : undefined)),
  reads: ({ cluster }) => (cluster ? CLUSTER_READS : [NAMESPACE]),
  crds: resourceDefinitions,
  config: Object.assign((raw: unknown) => readOptions(parse(raw)), { schema: optionsSchema }),
  check: ({ mutators }) =>
    lintMutators(mutators).map(({ rule, message }) => ({
      severity: rule === 'conflict' ? 'error' : 'warning',
      path: ['resources'],
      message,
    })),
  problems: (options, cluster) => systemProblems(options, cluster),
  inject(object, context) {
    const { mutators, cluster: isRead } = context.config;
    const system = systemOf(mutators, isRead ? context.cluster : undefined);
    const { kind, operation } = context.request;
    // Neither Gatekeeper's mutators nor its constraints and templates.
    if (kind.group.endsWith('.gatekeeper.sh')) return skip("Gatekeeper's own resources are never changed");
    if (!isMutated(operation)) return skip(`mutators are not for ${operation}`);
    const selected = system.select(kind, operation);
    if (selected.enforced.length + selected.warned.length + selected.disabled.length === 0)
      return NOT_FOR_KIND;
    // As in Gatekeeper: one more round than there are mutators.
    try {
      return run(asJson(object), selected, system.mutators.length + 1, context);
    } catch (error) {
      if (error instanceof PodgraftError && error.code === 'MUTATION_FAILED') return fault(error);
      throw error;
    }
  },
});

const NAMESPACE: ReadRef = { ...builtin('Namespace'), fields: [] };

const CLUSTER_READS: readonly ReadRef[] = [
  NAMESPACE,
  ...[...MUTATOR_KINDS.map((kind) => MUTATORS[kind]), PROVIDER].map((ref) => ({ ...ref, fields: ['spec'] })),
];

const NOT_FOR_KIND = skip('no mutator is for this kind and operation');

function run(
  object: JsonObject,
  selected: SelectedMutators,
  mostRounds: number,
  context: Context<Options>,
): Verdict<KubeObject> {
  const { cluster, calls, config } = context;
  const subject = subjectOf(object as unknown as KubeObject, context);
  const batches = selected.batchesFor(subject);
  const { object: mutated, applied, changing } = mutate(object, batches, subject, mostRounds);
  const warnings = [
    ...disabledWarnings(selected.disabled, object, subject),
    ...dryRunWarnings(selected.warned, mutated, subject),
  ];
  let count = 0;
  let isExternal = false;
  for (const batch of applied) {
    count += batch.mutators.length;
    isExternal ||= batch.isExternal;
  }
  const notes = changing.map(({ title, location }) => `${title} changed "${location.text}"`);
  if (!isExternal) return verdict(object, mutated, { applied: count, notes, warnings });
  const sources = { providers: config.providers, cluster: config.cluster ? cluster : undefined, calls };
  const resolved = resolvePlaceholders(mutated, sources);
  if (resolved === undefined) return skip('waits for external data');
  // Placeholders are new objects, even if the object already has the same data.
  const result = sameJson(resolved.object, object) ? object : resolved.object;
  const all = [...warnings, ...resolved.warnings];
  return verdict(object, result, { applied: count, notes, warnings: all });
}

interface Report {
  /** The number of mutators whose `match` held. */
  readonly applied: number;
  /** The changes of each mutator. */
  readonly notes: readonly string[];
  readonly warnings: readonly string[];
}

function verdict(
  object: JsonObject,
  mutated: JsonObject,
  { applied, notes, warnings }: Report,
): Verdict<KubeObject> {
  if (mutated !== object) return { target: mutated as unknown as KubeObject, warnings, notes };
  const reason =
    applied === 0 ? 'no mutator matches the object' : `nothing to change for ${applied} matching mutators`;
  return skip(reason, warnings);
}

function subjectOf(object: DeepReadonly<KubeObject>, { request, cluster }: Context<Options>): Subject {
  const { kind, userInfo } = request;
  const { name = '' } = object.metadata;
  const isNamespace = kind.kind === 'Namespace' && kind.group === '';
  const namespace = isNamespace ? name : request.namespace;
  return {
    name,
    namespace,
    isNamespace,
    username: userInfo.username,
    namespaceObject: () => cluster.get(NAMESPACE, undefined, namespace),
  };
}
