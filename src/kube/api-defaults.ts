import { isJsonObject, type JsonObject } from '../json/json.ts';
import { fill, fillMember } from './fill.ts';
import { asJson, type KubeObject } from './kube-object.ts';
import { podDefaults, podTemplateDefaults } from './pod-defaults.ts';
import { groupOf } from './resource.ts';
import { templatePathOf } from './workload.ts';

/**
 * A Pod or workload with the defaults that the API server fills in before it calls webhooks; any other object as it is. Nothing is
 * validated, lists get no new items, and unchanged parts are shared.
 *
 * Not modelled: what depends on the cluster (LimitRanges, default PriorityClass, tolerations), the ServiceAccount's token, and
 * requests of the whole Pod.
 */
export function withDefaults(object: KubeObject, ofPod = podDefaults): KubeObject {
  const json = asJson(object);
  if (object.kind === 'Pod' && object.apiVersion === 'v1') {
    return fillMember(json, 'spec', ofPod) as unknown as KubeObject;
  }
  const path = templatePathOf(object);
  if (path === undefined) return object;
  const withTemplate = atPath(json, path.split('/').slice(1), (template) =>
    fillMember(template, 'spec', podTemplateDefaults),
  );
  const own = groupOf(object.apiVersion) === KNOWN_GROUPS[object.kind] ? workloads[object.kind] : undefined;
  const next = own === undefined ? withTemplate : fillMember(withTemplate, 'spec', own);
  return next as unknown as KubeObject;
}

function atPath(
  object: JsonObject,
  [head, ...rest]: readonly string[],
  change: (value: JsonObject) => JsonObject,
): JsonObject {
  return head === undefined
    ? change(object)
    : fillMember(object, head, (child) => atPath(child, rest, change));
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

const workloads: { readonly [kind: string]: (spec: JsonObject) => JsonObject } = {
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
    fill(spec, {
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
    fill(spec, {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }),
};

/** Only `RollingUpdate` has settings. */
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
  return fillMember(withStrategy, 'persistentVolumeClaimRetentionPolicy', (policy) =>
    fill(policy, { whenDeleted: 'Retain', whenScaled: 'Retain' }),
  );
}
