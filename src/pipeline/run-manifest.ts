import { applyPatch } from '../json/apply-patch.ts';
import { isJsonObject } from '../json/json.ts';
import type { Operation, Patch } from '../json/operation.ts';
import { valueAt } from '../json/value-at.ts';
import type { PodTemplateSpec } from '../kube/generated/types.ts';
import { asJson, type DeepReadonly, type KubeObject } from '../kube/kube-object.ts';
import { groupOf, resourceOf } from '../kube/resource.ts';
import { podFromTemplate, podTemplatePathOf } from '../kube/workload.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { AdmissionOperation, Request } from '../sdk/request.ts';
import type { Pipeline } from './pipeline.ts';
import { claimVolumesOf, type ResultProblem } from './result-problems.ts';
import { type DefaultedRun, runDefaulted } from './run-defaulted.ts';
import type { Outcome } from './trace.ts';
import { runAndValidate } from './validate-stages.ts';

export interface ManifestRequest {
  readonly operation: AdmissionOperation;
  /** For objects that have no namespace. */
  readonly namespace: string;
  readonly username: string;
  /** Whether injectors see the API server's defaults, as on a cluster. They are in neither the resulting object nor the patch. */
  readonly defaults?: boolean;
}

/** The outcome for an object of a file and, if it is a workload, for the Pods of its template. */
export interface ManifestOutcome {
  readonly parts: readonly ManifestPart[];
  readonly allowed: boolean;
  readonly object: KubeObject;
  readonly patch: Patch;
}

export interface ManifestPart {
  /** The object's kind, or Pod for a template. */
  readonly kind: string;
  /** Its path in the manifest: empty for the object itself. */
  readonly path: string;
  /** The part as the first injector saw it: the trace's patches apply to it. */
  readonly seen: KubeObject;
  readonly outcome: Outcome;
  /** Why the API server would reject the result; paths begin at the part. Empty without `defaults`. */
  readonly problems: readonly ResultProblem[];
}

/** Injects an object of a file as admission would inject it and, later, its Pods. */
export function runManifest(
  pipeline: Pipeline,
  object: KubeObject,
  request: ManifestRequest,
  cluster: ClusterView,
  files?: FileView,
): ManifestOutcome {
  const run = (on: KubeObject, as: ManifestRequest, claimVolumes: readonly string[]): DefaultedRun =>
    request.defaults === true
      ? runDefaulted(pipeline, requestFor(on, as), on, cluster, files, claimVolumes)
      : { seen: on, outcome: runAndValidate(pipeline, requestFor(on, as), on, cluster, files), problems: [] };
  const { seen, outcome: own, problems } = run(object, request, []);
  const parts: ManifestPart[] = [{ kind: object.kind, path: '', seen, outcome: own, problems }];
  if (!own.allowed) return { parts, allowed: false, object, patch: [] };

  const path = podTemplatePathOf(object, pipeline.workloads);
  const template = path === undefined ? undefined : templateAt(own.object, path);
  if (path === undefined || template === undefined) {
    return { parts, allowed: true, object: own.object, patch: own.patch };
  }
  const namespace = object.metadata.namespace ?? request.namespace;
  const pod = podFromTemplate(object, template) as unknown as KubeObject;
  const ofPod = run(pod, { ...request, operation: 'CREATE', namespace }, claimVolumesOf(object));
  const { outcome } = ofPod;
  // Those that the template has without injection are problems of the workload.
  const added = ofPod.problems.filter(({ injector }) => injector !== undefined);
  parts.push({ kind: 'Pod', path, seen: ofPod.seen, outcome, problems: added });
  if (!outcome.allowed) return { parts, allowed: false, object, patch: [] };
  const patch = [...own.patch, ...withParent(template, path, outcome.patch)];
  const result = applyPatch(asJson(object), patch) as unknown as KubeObject;
  return { parts, allowed: true, object: result, patch };
}

/** The request that the API server would send for an object. */
export function requestFor(object: KubeObject, { operation, namespace, username }: ManifestRequest): Request {
  const group = groupOf(object.apiVersion);
  const version = group === '' ? object.apiVersion : object.apiVersion.slice(group.length + 1);
  const ref = resourceOf(group, object.kind);
  return {
    uid: '',
    operation,
    kind: { group, version, kind: object.kind },
    resource: { group, version, resource: ref?.resource ?? `${object.kind.toLowerCase()}s` },
    subResource: '',
    name: object.metadata.name ?? '',
    namespace: ref?.namespaced === false ? '' : (object.metadata.namespace ?? namespace),
    userInfo: { username },
    dryRun: false,
  };
}

function templateAt(object: KubeObject, path: string): DeepReadonly<PodTemplateSpec> | undefined {
  const template = valueAt(asJson(object), path);
  if (!isJsonObject(template) || !isJsonObject(template.spec)) return undefined;
  return isJsonObject(template.metadata ?? {}) ? template : undefined;
}

/** The Pod always has metadata; its template may not. */
function withParent(template: DeepReadonly<PodTemplateSpec>, path: string, patch: Patch): Operation[] {
  const moved = patch.map(
    (operation): Operation => ({
      ...operation,
      path: path + operation.path,
      ...('from' in operation && { from: path + operation.from }),
    }),
  );
  const needsMetadata =
    (template.metadata ?? null) === null && patch.some(({ path }) => path.startsWith('/metadata/'));
  return needsMetadata ? [{ op: 'add', path: `${path}/metadata`, value: {} }, ...moved] : moved;
}
