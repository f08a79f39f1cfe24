import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { apiVersionOf, type ResourceRef } from '../kube/resource.ts';
import {
  containsDirective,
  DIRECTIVE,
  isAbsent,
  isAtLeast,
  isDirective,
  namePatternOf,
} from './directive.ts';
import { type FieldType, fieldsOf, kindType } from './field-schema.ts';
import type { OverlayProblem } from './overlay-problem.ts';

/**
 * All fields that an overlay fills, although the API server has set them in every object of these kinds before it calls
 * webhooks. Such a field has no effect: it needs `$force`.
 */
export function defaultedFields(
  overlay: JsonObject,
  kinds: readonly (ResourceRef | '*')[],
): OverlayProblem[] {
  const found = new Map<string, OverlayProblem>();
  for (const kind of kinds) {
    const type = kind === '*' ? undefined : kindType(apiVersionOf(kind), kind.kind);
    if (kind !== '*' && type !== undefined) walk(overlay, type, [], kind.kind);
  }
  return [...found.values()];

  function walk(value: Json, type: FieldType, path: readonly string[], kind: string): void {
    if (type.type === 'list' && isJsonArray(value)) {
      for (const [index, item] of value.entries()) {
        if (isForExisting(item, type.item)) walk(item, type.item, [...path, String(index)], kind);
      }
    }
    if (type.type !== 'struct' || !isJsonObject(value)) return;
    const fields = fieldsOf(type);
    for (const [key, child] of Object.entries(value)) {
      const field = fields.get(key);
      if (field === undefined || isDirective(key)) continue;
      if (isDefaulted(kind, type.name, key)) report(child, key, [...path, key], kind);
      else walk(child, field, [...path, key], kind);
    }
  }

  function report(value: Json, key: string, path: readonly string[], kind: string): void {
    if (value === null || isAtLeast(value) || containsDirective(value)) return;
    const message = `every ${kind} has "${key}" by then: use {${DIRECTIVE.force}: …} to replace it`;
    found.set(JSON.stringify(path), { path, message });
  }
}

/** An item that may be new has no defaults yet. A new container needs an image. */
function isForExisting(item: Json, type: FieldType): boolean {
  if (!isJsonObject(item) || isAbsent(item)) return false;
  if (namePatternOf(item) !== undefined) return true;
  return type.type === 'struct' && type.name === 'Container' && item.image === undefined;
}

function isDefaulted(kind: string, definition: string, field: string): boolean {
  const defaulted = DEFAULTED[definition]?.includes(field) ?? false;
  // A CronJob's template of a Job itself gets no defaults; its Pod does.
  if (definition === 'JobSpec') return defaulted && kind === 'Job';
  return defaulted || (kind === 'Pod' && (DEFAULTED_IN_PODS[definition]?.includes(field) ?? false));
}

interface FieldsByDefinition {
  readonly [definition: string]: readonly string[];
}

/** What `kube/api-defaults.ts` sets regardless of the rest of the object, which a test compares. */
const DEFAULTED: FieldsByDefinition = {
  PodSpec: ['dnsPolicy', 'restartPolicy', 'schedulerName', 'terminationGracePeriodSeconds'],
  Container: ['imagePullPolicy', 'terminationMessagePath', 'terminationMessagePolicy'],
  DeploymentSpec: ['progressDeadlineSeconds', 'replicas', 'revisionHistoryLimit', 'strategy'],
  ReplicaSetSpec: ['replicas'],
  ReplicationControllerSpec: ['replicas'],
  StatefulSetSpec: [
    'persistentVolumeClaimRetentionPolicy',
    'podManagementPolicy',
    'replicas',
    'revisionHistoryLimit',
    'updateStrategy',
  ],
  DaemonSetSpec: ['revisionHistoryLimit', 'updateStrategy'],
  JobSpec: [
    'backoffLimit',
    'completionMode',
    'manualSelector',
    'parallelism',
    'podReplacementPolicy',
    'suspend',
  ],
  CronJobSpec: ['concurrencyPolicy', 'failedJobsHistoryLimit', 'successfulJobsHistoryLimit', 'suspend'],
  Secret: ['type'],
  ServiceSpec: ['internalTrafficPolicy', 'sessionAffinity', 'type'],
  ServicePort: ['protocol', 'targetPort'],
  HorizontalPodAutoscalerSpec: ['metrics', 'minReplicas'],
  NetworkPolicySpec: ['policyTypes'],
  PersistentVolumeClaimSpec: ['volumeMode'],
  PersistentVolumeSpec: ['persistentVolumeReclaimPolicy', 'volumeMode'],
};

/** Set in Pods but not in templates of Pods, the last three by the admission plugins ServiceAccount and Priority. */
const DEFAULTED_IN_PODS: FieldsByDefinition = {
  PodSpec: ['enableServiceLinks', 'preemptionPolicy', 'priority', 'serviceAccountName'],
};
