import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'yaml';
import { loopbackCertificate } from '../certificates/loopback-certificate.ts';
import { createClient, type KubeClient } from '../cluster/client/client.ts';
import { findConnection } from '../cluster/client/find-connection.ts';
import { createLiveView } from '../cluster/views/live-view.ts';
import { findBinaries } from '../control-plane/binaries.ts';
import { startControlPlane } from '../control-plane/start-control-plane.ts';
import type { KubeObject } from '../kube/kube-object.ts';
import { customResourceDefinitions } from '../manifests/manifests.ts';
import { bytesOf, type RecordedDecision } from '../page/decision.ts';
import { NO_MASK } from '../page/mask.ts';
import type { RequestLog } from '../page/request-log.ts';
import { reviewView } from '../page/review-view.ts';
import { applyObjects } from '../playground/apply-objects.ts';
import { ownConfigurations } from '../playground/own-configurations.ts';
import type { Snapshot } from '../playground/workspace.ts';
import { createLog } from '../server/log.ts';
import { createCaller } from '../server/make-calls.ts';
import { createMetrics } from '../server/metrics/metrics.ts';
import { createRecorder } from '../server/metrics/record-decisions.ts';
import { startServer } from '../server/start-server.ts';
import { fixedTls } from '../server/tls-source.ts';

export interface PlaygroundCluster {
  readonly kubeconfig: string;
  /** Serves another configuration from now on. */
  use(snapshot: Snapshot): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a real control plane that calls podgraft, and keeps its decisions for the page. `warn` receives problems with single objects. */
export async function startPlaygroundCluster(
  controlPlane: string,
  first: Snapshot,
  requests: RequestLog,
  warn: (text: string) => void,
): Promise<PlaygroundCluster> {
  const binaries = findBinaries(controlPlane);
  const hasControllers = binaries['kube-controller-manager'] !== undefined;
  if (!hasControllers) warn('no kube-controller-manager: Deployments create no Pods; create Pods themselves');
  const plane = await startControlPlane({
    binaries,
    // Without controllers, nothing creates the ServiceAccounts that it requires.
    ...(!hasControllers && { apiServerArgs: ['--disable-admission-plugins=ServiceAccount'] }),
  });
  const client = createClient(findConnection({ path: plane.kubeconfig }));
  const tls = loopbackCertificate('podgraft playground');
  let served: Served | undefined;
  let current: Snapshot | undefined;
  let changes = Promise.resolve();

  const change = async (snapshot: Snapshot) => {
    // A broken file leaves the last one in effect.
    if (snapshot === current) return;
    current = snapshot;
    const { pipeline } = snapshot.config;
    const definitions = customResourceDefinitions(pipeline).map((text) => parse(text) as KubeObject);
    await applyObjects(client, [...definitions, ...(snapshot.objects as unknown as KubeObject[])], warn);
    const next = await serve(snapshot, client, tls, (decision) => {
      const view = () => reviewView(decision, NO_MASK);
      requests.add({ item: decision.item, bytes: bytesOf(decision), view });
    });
    const address = {
      url: `https://127.0.0.1:${next.port}`,
      caBundle: Buffer.from(tls.ca).toString('base64'),
    };
    const own = ownConfigurations(pipeline, address) as unknown as KubeObject[];
    await applyObjects(client, own, warn);
    // The API server learns of the new address a moment later.
    void served?.stop(2_000);
    served = next;
  };
  const stop = async () => {
    await served?.stop(0);
    client.close();
    await plane.stop();
  };
  try {
    await change(first);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    kubeconfig: plane.kubeconfig,
    use(snapshot) {
      // One at a time.
      changes = changes.then(() => change(snapshot)).catch((error: unknown) => warn(String(error)));
      return changes;
    },
    stop,
  };
}

interface Served {
  readonly port: number;
  /** It keeps answering for this many milliseconds. */
  stop(delay: number): Promise<void>;
}

/** Podgraft's webhook on loopback, with the objects of the control plane. Resolves when it has listed them. */
async function serve(
  { config, files }: Snapshot,
  client: KubeClient,
  pair: { readonly cert: string; readonly key: string },
  keep: (decision: RecordedDecision) => void,
): Promise<Served> {
  const { pipeline, validate } = config;
  const reads = pipeline.stages.flatMap((stage) => stage.reads);
  const view = createLiveView({ client, reads });
  const ending = new AbortController();
  void view.start(ending.signal);
  while (!view.synced().synced) await sleep(20);
  const server = await startServer({
    pipeline,
    cluster: view,
    files,
    gather: (needs, milliseconds) => view.read(needs, milliseconds),
    call: createCaller(client),
    finalCheck: validate,
    record: createRecorder(keep, () => pipeline.stages),
    metrics: createMetrics(new Set()),
    log: createLog('error'),
    port: 0,
    host: '127.0.0.1',
    tls: fixedTls(pair),
  });
  return {
    port: server.port,
    async stop(delay) {
      await server.drain(delay);
      ending.abort();
    },
  };
}
