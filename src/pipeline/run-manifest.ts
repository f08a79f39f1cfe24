import { applyPatch } from '../json/apply-patch.ts';
import { isJsonObject } from '../json/json.ts';
import type { Operation, Patch } from '../json/operation.ts';
import { valueAt } from '../json/value-at.ts';
import type { PodTemplateSpec } from '../kube/generated/types.ts';
import { asJson, type DeepReadonly, type KubeObject } from '../kube/kube-object.ts';
import { groupOf, resourceOf } from '../kube/resource.ts';
import { podFromTemplate, templatePathOf } from '../kube/workload.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import type { AdmissionOperation, Request } from '../sdk/request.ts';
import type { Pipeline } from './pipeline.ts';
import { runPipeline } from './run.ts';
import type { Outcome } from './trace.ts';

export interface ManifestRequest {
  readonly operation: AdmissionOperation;
  /** For objects that do not name their namespace. */
  readonly namespace: string;
  readonly username: string;
}

/** What became of a manifest: of the object itself and, for a workload, of the Pods it would make. */
export interface ManifestOutcome {
  readonly parts: readonly ManifestPart[];
  readonly allowed: boolean;
  readonly object: KubeObject;
  readonly patch: Patch;
}

export interface ManifestPart {
  /** What was injected: the object's kind, or Pod for a template. */
  readonly kind: string;
  /** Where it stands in the manifest: empty for the object itself. */
  readonly path: string;
  readonly outcome: Outcome;
}

/** Injects an object as it stands in a file: what admission would do to it and, later, to its Pods. */
export function runManifest(
  pipeline: Pipeline,
  object: KubeObject,
  request: ManifestRequest,
  cluster: ClusterView,
  files?: FileView,
): ManifestOutcome {
  const own = runPipeline(pipeline, requestFor(object, request), object, cluster, files);
  const parts: ManifestPart[] = [{ kind: object.kind, path: '', outcome: own }];
  if (!own.allowed) return { parts, allowed: false, object, patch: [] };

  const path = templatePathOf(object);
  const template = path === undefined ? undefined : templateAt(own.object, path);
  if (path === undefined || template === undefined) {
    return { parts, allowed: true, object: own.object, patch: own.patch };
  }
  const namespace = object.metadata.namespace ?? request.namespace;
  const pod = podFromTemplate(object, template) as unknown as KubeObject;
  const podRequest = requestFor(pod, { ...request, operation: 'CREATE', namespace });
  const outcome = runPipeline(pipeline, podRequest, pod, cluster, files);
  parts.push({ kind: 'Pod', path, outcome });
  if (!outcome.allowed) return { parts, allowed: false, object, patch: [] };
  const patch = [...own.patch, ...withParent(template, path, outcome.patch)];
  const result = applyPatch(asJson(object), patch) as unknown as KubeObject;
  return { parts, allowed: true, object: result, patch };
}

/** The request that the API server would make of an object. */
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
    object,
  };
}

function templateAt(object: KubeObject, path: string): DeepReadonly<PodTemplateSpec> | undefined {
  const template = valueAt(asJson(object), path);
  return isJsonObject(template) && isJsonObject(template.spec) ? template : undefined;
}

/** The Pod always has metadata; its template need not. */
function withParent(template: DeepReadonly<PodTemplateSpec>, path: string, patch: Patch): Operation[] {
  const moved = patch.map(
    (operation): Operation => ({
      ...operation,
      path: path + operation.path,
      ...('from' in operation && { from: path + operation.from }),
    }),
  );
  const needsMetadata =
    template.metadata === undefined && patch.some(({ path }) => path.startsWith('/metadata/'));
  return needsMetadata ? [{ op: 'add', path: `${path}/metadata`, value: {} }, ...moved] : moved;
}
