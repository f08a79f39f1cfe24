import { MARK } from '../admission/mark.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../json/json.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { annotationsOf, asJson, createdAt, labelsOf } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { requestFor } from '../pipeline/run-manifest.ts';
import { runPipeline } from '../pipeline/run-pipeline.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { Reason, Workload } from './finding.ts';

/** What the audit knows about the installation. Times are RFC 3339, as in metadata, which sort as texts. */
export interface Installation {
  readonly pipeline: Pipeline;
  readonly files: FileView;
  /** By the injector's name. */
  readonly fingerprints: ReadonlyMap<string, string>;
  readonly installedAt?: string;
  /** When the configuration took effect. */
  readonly configuredAt?: string;
}

/** One injector that would still change a Pod. */
export interface MissedInjection {
  readonly injector: string;
  readonly reason: Reason;
  readonly paths: readonly string[];
}

/** Runs the injectors on a Pod as it is. They are idempotent, so whatever they would still change is missing. */
export function auditPod(
  pod: KubeObject,
  cluster: ClusterView,
  installation: Installation,
): MissedInjection[] {
  if (!isRunning(pod)) return [];
  const { namespace = '' } = pod.metadata;
  const request = requestFor(pod, { operation: 'CREATE', namespace, username: 'podgraft-audit' });
  const outcome = runPipeline(installation.pipeline, request, pod, cluster, installation.files);
  const paths = new Map<string, string[]>();
  for (const step of outcome.trace) {
    if (step.decision !== 'grafted' || step.patch.length === 0) continue;
    paths.set(step.injector, [...(paths.get(step.injector) ?? []), ...step.patch.map(({ path }) => path)]);
  }
  return [...paths].map(([injector, changed]) => ({
    injector,
    paths: changed,
    reason: reasonFor(injector, pod, cluster, installation),
  }));
}

/** Finished Pods need no injection, and those being deleted are about to be replaced. */
function isRunning(pod: KubeObject): boolean {
  const { status } = asJson(pod);
  const phase = isJsonObject(status) ? status.phase : undefined;
  return phase !== 'Succeeded' && phase !== 'Failed' && asJson(pod.metadata).deletionTimestamp === undefined;
}

function reasonFor(
  injector: string,
  pod: KubeObject,
  cluster: ClusterView,
  { fingerprints, installedAt, configuredAt }: Installation,
): Reason {
  const mark = annotationsOf(pod)[MARK];
  if (mark !== undefined) {
    const isCurrent = mark.split(' ').includes(`${injector}=${fingerprints.get(injector)}`);
    return isCurrent ? 'removed after injection' : 'configuration changed since';
  }
  const created = createdAt(pod);
  if (isAfter(installedAt, created)) return 'created before Podgraft';
  if (isAfter(configuredAt, created)) return 'configuration changed since';
  const namespace = cluster.get(builtin('Namespace'), undefined, pod.metadata.namespace ?? '');
  if (namespace !== undefined && isAfter(lastChangeOf(namespace), created)) return 'namespace changed since';
  return 'Podgraft was not called, or did not answer';
}

function isAfter(time: string | undefined, other: string | undefined): boolean {
  return time !== undefined && other !== undefined && time > other;
}

/** When a client last changed a namespace, such as a label by which it is selected. */
function lastChangeOf(namespace: KubeObject): string | undefined {
  const { managedFields } = asJson(namespace.metadata);
  const times = (isJsonArray(managedFields) ? managedFields : [])
    .map((entry) => (isJsonObject(entry) && entry.subresource === undefined ? entry.time : undefined))
    .filter((time) => typeof time === 'string');
  const last = times.toSorted().at(-1);
  return last === createdAt(namespace) ? undefined : last;
}

/** The workload whose restart replaces the Pod. A ReplicaSet that a Deployment made has the hash of its template in its name. */
export function workloadOf(pod: KubeObject): Workload {
  const owner = controllerOf(pod);
  if (owner === undefined) {
    return { apiVersion: 'v1', kind: 'Pod', name: pod.metadata.name ?? '' };
  }
  const { apiVersion, kind, name } = { apiVersion: '', kind: '', name: '', ...owner } as unknown as Workload;
  const hash = labelsOf(pod)['pod-template-hash'];
  if (kind === 'ReplicaSet' && hash !== undefined && name.endsWith(`-${hash}`)) {
    return { apiVersion, kind: 'Deployment', name: name.slice(0, -hash.length - 1) };
  }
  return { apiVersion, kind, name };
}

/** The uid of the object that controls the Pod, or its own. */
export function controllerUidOf(pod: KubeObject): string | undefined {
  const { uid } = controllerOf(pod) ?? asJson(pod.metadata);
  return typeof uid === 'string' ? uid : undefined;
}

function controllerOf(pod: KubeObject): JsonObject | undefined {
  const { ownerReferences } = asJson(pod.metadata);
  return (isJsonArray(ownerReferences) ? ownerReferences : [])
    .filter(isJsonObject)
    .find(({ controller }) => controller === true);
}
