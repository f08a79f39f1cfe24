import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { istio } from '../../src/injectors/istio/istio.ts';
import { readSettings } from '../../src/injectors/istio/settings.ts';
import { applyPatch } from '../../src/json/apply-patch.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/json/json.ts';
import { valueAt } from '../../src/json/value-at.ts';
import { asStored } from '../../src/kube/as-stored.ts';
import { asJson, type KubeObject } from '../../src/kube/kube-object.ts';
import { canonicalQuantity } from '../../src/kube/quantity.ts';
import { templatePathOf } from '../../src/kube/workload.ts';
import { createPipeline } from '../../src/pipeline/pipeline.ts';
import { requestFor } from '../../src/pipeline/run-manifest.ts';
import { runPipeline } from '../../src/pipeline/run-pipeline.ts';
import type { Outcome } from '../../src/pipeline/trace.ts';
import { withApiDefaults } from '../../src/testing/api-defaults.ts';
import { deepFreeze } from '../../src/testing/laws.ts';
import { peersFolder } from './peers-folder.ts';

interface PeerCase {
  readonly id: string;
  readonly folder: string;
  readonly runnable: boolean;
  readonly inputs: { readonly config: string; readonly values: string; readonly mesh: string };
  readonly environment: { readonly [name: string]: string };
  readonly cluster: {
    readonly nodes: readonly { readonly name: string; readonly kubeletVersion: string }[];
    readonly namespaces: readonly {
      readonly name: string;
      readonly annotations: { readonly [key: string]: string };
    }[];
  };
  readonly revision: string;
  readonly documents: readonly string[];
  readonly expect: {
    readonly outcome: 'injected' | 'untouched' | 'error';
    readonly errorContains: string | null;
  };
}

const folder = peersFolder('istio');
const cases = folder === undefined ? [] : readCases(folder).filter(({ runnable }) => runnable);
/** Its golden has a second istio-proxy, without an image: every API server rejects that Pod. */
const INVALID = 'sidecar-spire';
const refused = cases.filter(({ expect: { outcome } }) => outcome === 'error');
const others = cases.filter(({ expect: { outcome } }) => outcome !== 'error');

describe.skipIf(folder === undefined)("Istio's injector", () => {
  it('has cases', () => {
    expect(others.length).toBeGreaterThan(50);
    expect(refused.length).toBeGreaterThan(0);
  });

  it.each(others)('makes the same Pods: $id', (peer) => {
    const inputs = podsOf(peer, 'input.yaml');
    const expected = podsOf(peer, 'expected.yaml');
    expect(inputs.map(({ kind }) => kind)).toEqual(peer.documents);
    for (const [index, input] of inputs.entries()) {
      const outcome = run(peer, input.pod, input.namespace);
      if (!outcome.allowed) throw new Error(outcome.reason);
      const patched = applyPatch(asJson(input.pod), outcome.patch);
      if (peer.expect.outcome === 'untouched') expect(outcome.patch).toEqual([]);
      const golden = comparable(asJson(expected[index]?.pod as KubeObject));
      expect(comparable(patched)).toEqual(peer.id === INVALID ? withOneProxy(golden) : golden);
      checkMetadataJson(patched);
    }
  });

  it.each(refused)('refuses the same: $id', (peer) => {
    const outcomes = podsOf(peer, 'input.yaml').map(({ pod, namespace }) => run(peer, pod, namespace));
    const reasons = outcomes.flatMap((outcome) => (outcome.allowed ? [] : [outcome.reason.toLowerCase()]));
    expect(reasons.join()).toContain(peer.expect.errorContains);
  });

  // Istio itself loses the user's settings of the proxy here (istio/istio#55691).
  it.each(others)('changes nothing the second time: $id', (peer) => {
    for (const { pod, namespace } of podsOf(peer, 'input.yaml')) {
      const first = run(peer, pod, namespace);
      if (!first.allowed) throw new Error(first.reason);
      const stored = withApiDefaults(asJson(first.object)) as unknown as KubeObject;
      for (const again of [first.object, stored]) {
        const second = run(peer, again, namespace);
        expect(second.allowed && second.patch).toEqual([]);
      }
    }
  });

  it.each(others)('injects the same into a Pod that the API server has filled in: $id', (peer) => {
    for (const { pod, namespace } of podsOf(peer, 'input.yaml')) {
      const stored = withApiDefaults(asJson(pod)) as unknown as KubeObject;
      const first = run(peer, stored, namespace);
      if (!first.allowed) throw new Error(first.reason);
      const second = run(peer, first.object, namespace);
      expect(second.allowed && second.patch).toEqual([]);
    }
  });
});

function run(peer: PeerCase, pod: KubeObject, namespace: string): Outcome {
  const { environment, revision } = peer;
  const native = environment.ENABLE_NATIVE_SIDECARS ?? 'auto';
  const config = readSettings({
    revision,
    nativeSidecars: native === 'auto' ? native : native === 'true',
    platform: environment.PLATFORM ?? '',
    compliancePolicy: environment.COMPLIANCE_POLICY ?? '',
  });
  const request = requestFor(pod, { operation: 'CREATE', namespace, username: 'test' });
  const pipeline = createPipeline([{ name: 'istio', injector: istio, config }], []);
  return runPipeline(
    pipeline,
    { ...request, namespace },
    deepFreeze(structuredClone(pod)),
    filesView(clusterOf(peer)),
  );
}

function clusterOf({ folder, inputs, cluster }: PeerCase): KubeObject[] {
  const text = (file: string) => readFileSync(join(folder, file), 'utf8');
  const configMap = (name: string, data: object) =>
    ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name, namespace: 'istio-system' },
      data,
    }) as KubeObject;
  return [
    configMap('istio-sidecar-injector', { config: text(inputs.config), values: text(inputs.values) }),
    configMap('istio', { mesh: text(inputs.mesh) }),
    ...cluster.nodes.map(
      ({ name, kubeletVersion }) =>
        ({
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name },
          status: { nodeInfo: { kubeletVersion } },
        }) as KubeObject,
    ),
    ...cluster.namespaces.map(
      (metadata) => ({ apiVersion: 'v1', kind: 'Namespace', metadata }) as KubeObject,
    ),
  ];
}

interface PeerPod {
  readonly kind: string;
  readonly pod: KubeObject;
  readonly namespace: string;
}

/** The Pods of a file's documents, according to the notes. */
function podsOf({ folder }: PeerCase, file: string): PeerPod[] {
  const documents = parseAllDocuments(readFileSync(join(folder, file), 'utf8'), { version: '1.1' })
    .map((document) => document.toJS() as KubeObject | null)
    .flatMap((object) =>
      object?.kind === 'List' ? (object.items as KubeObject[]) : object === null ? [] : [object],
    );
  return documents
    .filter((object) => object.kind === 'Pod' || templatePathOf(object) !== undefined)
    .map((object) => ({
      kind: object.kind,
      // Go drops fields without a value.
      pod: asStored(podOf(object)),
      namespace: (object.metadata?.namespace as string | undefined) ?? '',
    }));
}

function podOf(object: KubeObject): KubeObject {
  const path = templatePathOf(object);
  if (path === undefined) return object;
  const { metadata = {}, spec } = valueAt(asJson(object), path) as { metadata?: JsonObject; spec: Json };
  const name = object.metadata.name ?? '';
  const deployment = object.kind === 'Deployment';
  const owner = deployment
    ? { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: `${name}-fake`, controller: true }
    : { apiVersion: object.apiVersion, kind: object.kind, name, controller: true };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...metadata,
      generateName: deployment ? `${name}-fake-` : name,
      ownerReferences: [owner],
      ...(deployment && { labels: { ...(metadata.labels as object), 'pod-template-hash': 'fake' } }),
    },
    spec,
  } as unknown as KubeObject;
}

/** A Pod after Go's typed round trip: empty values gone, quantities canonical, `fieldRef.apiVersion` blank. */
function comparable(pod: Json): Json {
  const clean = (value: Json, key: string, parent: string): Json | undefined => {
    if (value === null) return undefined;
    if (isJsonArray(value)) {
      const items = value.map((item) => clean(item, '', key) ?? {});
      return items.length === 0 ? undefined : items;
    }
    if (isJsonObject(value)) {
      const entries = Object.entries(value)
        .filter(([name]) => !(key === 'fieldRef' && name === 'apiVersion') && name !== 'creationTimestamp')
        .map(([name, child]) => [name, clean(child, name, key)] as const)
        .filter(([, child]) => child !== undefined);
      if (entries.length === 0 && (key === 'resources' || key === 'metadata' || key === 'status'))
        return undefined;
      return Object.fromEntries(entries) as Json;
    }
    if (['limits', 'requests'].includes(parent) || key === 'divisor')
      return canonicalQuantity(value as string);
    const omitted = value === '' || value === false || value === 0;
    return omitted && OMITTED.has(key) ? undefined : value;
  };
  return clean(pod, '', '') ?? {};
}

/** The golden Pod, with its second proxy merged into the first. */
function withOneProxy(pod: Json): Json {
  const { metadata, spec } = structuredClone(pod) as unknown as {
    metadata: { annotations: Record<string, string> };
    spec: Record<'containers' | 'initContainers', { name: string; volumeMounts: { mountPath: string }[] }[]>;
  };
  const isProxy = ({ name }: { name: string }) => name === 'istio-proxy';
  const [second, first] = [spec.containers.find(isProxy), spec.initContainers.find(isProxy)];
  for (const mount of second?.volumeMounts ?? []) {
    Object.assign(first?.volumeMounts.find(({ mountPath }) => mountPath === mount.mountPath) ?? {}, mount);
  }
  spec.containers = spec.containers.filter((container) => !isProxy(container));
  const status = JSON.parse(metadata.annotations['sidecar.istio.io/status'] ?? '');
  metadata.annotations['sidecar.istio.io/status'] = JSON.stringify({ ...status, containers: null });
  return { ...(pod as JsonObject), metadata, spec } as unknown as Json;
}

const OMITTED = new Set([
  'value',
  'readOnly',
  'initialDelaySeconds',
  'name',
  'hostNetwork',
  'stdin',
  'tty',
  'image',
]);

function checkMetadataJson(pod: Json): void {
  for (const field of ['containers', 'initContainers']) {
    for (const container of (valueAt(pod, `/spec/${field}`) ?? []) as readonly JsonObject[]) {
      for (const entry of (container.env ?? []) as readonly JsonObject[]) {
        if (!String(entry.name).startsWith('ISTIO_METAJSON_')) continue;
        expect(
          Object.values(JSON.parse(String(entry.value))).every((value) => typeof value === 'string'),
        ).toBe(true);
      }
    }
  }
}

function readCases(root: string): PeerCase[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
    .map((entry) => join(root, entry.name))
    .map((path) => ({ ...parse(readFileSync(join(path, 'case.json'), 'utf8')), folder: path }));
}
