import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startApiServer } from './api-server.ts';
import { findBinaries } from './binaries.ts';
import { type Client, connect } from './client.ts';
import { startControllerManager } from './controller-manager.ts';
import { startEtcd } from './etcd.ts';
import { eventually } from './eventually.ts';
import { withFreePorts } from './free-ports.ts';
import { createDefaultServiceAccount } from './namespace.ts';
import { prepareFiles } from './prepare-files.ts';
import type { RunningProgram } from './program.ts';
import { openWorkspace } from './workspace.ts';

export type ControlPlaneOptions = {
  authorizationMode?: 'AlwaysAllow' | 'RBAC';
  /** Whether to run kube-controller-manager. Without it, Deployments create no Pods. */
  controllers?: boolean;
  /** Additional flags for kube-apiserver; they override the defaults. */
  apiServerArgs?: readonly string[];
  /** The administrator's token, for those who pass a file of tokens of their own. Default: a random one. */
  token?: string;
};

export type ControlPlane = Client & {
  /** The running processes. */
  pids(): number[];
  /** Default: SIGTERM, which accepts no new connections and cuts open watches after 2 s. SIGKILL cuts everything at once. */
  stopApiServer(signal?: NodeJS.Signals): Promise<void>;
  /** On the same port as before. */
  startApiServer(): Promise<void>;
  restartApiServer(signal?: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
};

/**
 * A real etcd, kube-apiserver and kube-controller-manager on loopback, with a separate data folder. There is no kubelet and no
 * scheduler: Pods stay Pending, which is enough to test admission.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { authorizationMode = 'AlwaysAllow', controllers = true, apiServerArgs = [] } = options;
  const { token = randomBytes(16).toString('hex') } = options;
  const binaries = findBinaries();
  const workspace = openWorkspace();
  try {
    const files = await prepareFiles(workspace.folder, token);
    const etcd = await startEtcd(workspace, binaries.etcd);
    const settings = { etcdUrl: etcd.url, files, authorizationMode, extraArgs: apiServerArgs };

    // The first start chooses the port.
    let apiServer: RunningProgram | undefined;
    const port = await withFreePorts(1, async ([port = 0]) => {
      apiServer = await startApiServer(workspace, binaries['kube-apiserver'], { ...settings, port });
      return port;
    });
    const url = `https://127.0.0.1:${port}`;
    const kubeconfig = join(workspace.folder, 'kubeconfig.json');
    await files.writeKubeconfig(kubeconfig, url);
    const client = connect({ url, ca: files.serving.ca, token, kubeconfig });

    let manager: RunningProgram | undefined;
    if (controllers) {
      manager = await startControllerManager(workspace, binaries['kube-controller-manager'], client, files);
    } else {
      // The API server creates the namespace shortly after it becomes ready.
      await eventually('namespace "default" has a ServiceAccount', async () => {
        await createDefaultServiceAccount(client, 'default');
        return true;
      });
    }

    const plane: ControlPlane = {
      ...client,
      pids: () => [apiServer, manager, etcd].flatMap((program) => (program?.isRunning() ? program.pid : [])),
      async stopApiServer(signal) {
        client.disconnect();
        await apiServer?.stop(signal);
      },
      async startApiServer() {
        if (apiServer?.isRunning()) return;
        apiServer = await startApiServer(workspace, binaries['kube-apiserver'], { ...settings, port });
      },
      async restartApiServer(signal) {
        await plane.stopApiServer(signal);
        await plane.startApiServer();
      },
      async stop() {
        // All data is discarded, so a graceful shutdown is not needed.
        await plane.stopApiServer('SIGKILL');
        await manager?.stop('SIGKILL');
        await etcd.stop('SIGKILL');
        await workspace.remove();
      },
    };
    return plane;
  } catch (error) {
    await workspace.remove();
    throw error;
  }
}
