import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { claimDefaults } from './claim-defaults.ts';
import { fill, fillItems, fillMember } from './fill.ts';
import { groupOf } from './resource.ts';

/** A workload of Kubernetes with the API server's defaults; its Pod template is left as it is. */
export function workloadDefaults(workload: JsonObject, apiVersion: string, kind: string): JsonObject {
  if (groupOf(apiVersion) !== KNOWN_GROUPS[kind]) return workload;
  const change = specs[kind];
  const next = change === undefined ? workload : fillMember(workload, 'spec', change);
  return kind === 'Job' || kind === 'ReplicationController' ? labelsFromTemplate(next) : next;
}

const KNOWN_GROUPS: { readonly [kind: string]: string } = {
  Deployment: 'apps',
  StatefulSet: 'apps',
  DaemonSet: 'apps',
  ReplicaSet: 'apps',
  ReplicationController: '',
  Job: 'batch',
  CronJob: 'batch',
};

const specs: { readonly [kind: string]: (spec: JsonObject) => JsonObject } = {
  Deployment: (spec) =>
    fillStrategy(
      fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 }),
      'strategy',
      { maxUnavailable: '25%', maxSurge: '25%' },
    ),
  DaemonSet: (spec) =>
    fillStrategy(fill(spec, { revisionHistoryLimit: 10 }), 'updateStrategy', {
      maxUnavailable: 1,
      maxSurge: 0,
    }),
  StatefulSet: statefulSetDefaults,
  ReplicaSet: (spec) => fill(spec, { replicas: 1 }),
  ReplicationController: (spec) => fill(spec, { replicas: 1 }),
  Job: (spec) =>
    fill(failurePolicyDefaults(spec), {
      // Without `parallelism`, a Job completes with one Pod; with it, it is a work queue.
      ...(spec.parallelism === undefined && { completions: 1 }),
      parallelism: 1,
      backoffLimit: spec.backoffLimitPerIndex === undefined ? 6 : 2 ** 31 - 1,
      completionMode: 'NonIndexed',
      suspend: false,
      podReplacementPolicy: isJsonObject(spec.podFailurePolicy) ? 'Failed' : 'TerminatingOrFailed',
      manualSelector: false,
    }),
  CronJob: (spec) =>
    fill(
      fillMember(spec, 'jobTemplate', (job) => fillMember(job, 'spec', failurePolicyDefaults)),
      {
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      },
    ),
};

/** `RollingUpdate` has settings of its own; other strategies have none. */
function fillStrategy(spec: JsonObject, field: string, rollingUpdate: JsonObject): JsonObject {
  return fillMember(fill(spec, { [field]: {} }), field, (strategy) => {
    const typed = fill(strategy, { type: 'RollingUpdate' });
    if (typed.type !== 'RollingUpdate') return typed;
    return fillMember(fill(typed, { rollingUpdate: {} }), 'rollingUpdate', (settings) =>
      fill(settings, rollingUpdate),
    );
  });
}

/** A StatefulSet's settings are filled in only if it has some, or has no type. */
function statefulSetDefaults(spec: JsonObject): JsonObject {
  const filled = fill(spec, {
    replicas: 1,
    revisionHistoryLimit: 10,
    podManagementPolicy: 'OrderedReady',
    updateStrategy: {},
    persistentVolumeClaimRetentionPolicy: {},
  });
  const withStrategy = fillMember(filled, 'updateStrategy', (strategy) => {
    const typed = fill(strategy, { type: 'RollingUpdate' });
    if (typed.type !== 'RollingUpdate') return typed;
    const withSettings = typed === strategy ? typed : fill(typed, { rollingUpdate: {} });
    return fillMember(withSettings, 'rollingUpdate', (settings) => fill(settings, { partition: 0 }));
  });
  const retaining = fillMember(withStrategy, 'persistentVolumeClaimRetentionPolicy', (policy) =>
    fill(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  );
  // Conversion always sets the type of the templates.
  return fillItems(retaining, 'volumeClaimTemplates', (claim) => ({
    ...claimDefaults(claim),
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
  }));
}

function failurePolicyDefaults(spec: JsonObject): JsonObject {
  return fillMember(spec, 'podFailurePolicy', (policy) =>
    fillItems(policy, 'rules', (rule) =>
      fillItems(rule, 'onPodConditions', (condition) => fill(condition, { status: 'True' })),
    ),
  );
}

/** An object without labels takes those of its Pods, and so does a ReplicationController without a selector. */
function labelsFromTemplate(workload: JsonObject): JsonObject {
  const { spec } = workload;
  const template = isJsonObject(spec) && isJsonObject(spec.template) ? spec.template.metadata : undefined;
  const labels = isJsonObject(template) ? template.labels : undefined;
  if (!isJsonObject(labels) || isEmpty(labels)) return workload;
  const next = fillMember(workload, 'metadata', (metadata) =>
    isEmpty(metadata.labels) ? { ...metadata, labels } : metadata,
  );
  if (workload.kind === 'Job') return next;
  return fillMember(next, 'spec', (own) => (isEmpty(own.selector) ? { ...own, selector: labels } : own));
}

function isEmpty(map: Json | undefined): boolean {
  return (map ?? null) === null || (isJsonObject(map) && Object.keys(map).length === 0);
}
