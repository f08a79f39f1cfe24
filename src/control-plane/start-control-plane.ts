import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ApiAccess } from './api-get.ts';
import { startApiServer } from './api-server.ts';
import type { Binaries } from './binaries.ts';
import { startControllerManager } from './controller-manager.ts';
import { startEtcd } from './etcd.ts';
import { withFreePorts } from './free-ports.ts';
import { openGuardedFolder } from './guarded-folder.ts';
import { prepareFiles } from './prepare-files.ts';
import type { RunningProgram } from './program.ts';

export interface ControlPlaneOptions {
  /** Without kube-controller-manager, Deployments create no Pods. */
  readonly binaries: Binaries;
  readonly authorizationMode?: 'AlwaysAllow' | 'RBAC';
  /** Additional flags for kube-apiserver; they override the defaults. */
  readonly apiServerArgs?: readonly string[];
  /** The administrator's token. Default: a random one. */
  readonly token?: string;
}

export interface ControlPlane extends ApiAccess {
  readonly kubeconfig: string;
  /** The running processes. */
  pids(): number[];
  /** Default: SIGTERM, which accepts no new connections and cuts open watches after 2 s. SIGKILL cuts everything at once. */
  stopApiServer(signal?: NodeJS.Signals): Promise<void>;
  /** On the same port as before. */
  startApiServer(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A real etcd, kube-apiserver and kube-controller-manager on loopback, with a separate data folder. There is no kubelet and no
 * scheduler: Pods stay Pending, which is enough to see admission. All of it ends with this process, even if it is killed.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { binaries, authorizationMode = 'AlwaysAllow', apiServerArgs = [] } = options;
  const { token = randomBytes(16).toString('hex') } = options;
  const folder = openGuardedFolder();
  try {
    const files = await prepareFiles(folder.path, token);
    const etcd = await startEtcd(folder, binaries.etcd);
    const settings = { etcdUrl: etcd.url, files, authorizationMode, extraArgs: apiServerArgs };

    // The first start chooses the port.
    let apiServer: RunningProgram | undefined;
    const port = await withFreePorts(1, async ([free = 0]) => {
      apiServer = await startApiServer(folder, binaries['kube-apiserver'], { ...settings, port: free });
      return free;
    });
    const kubeconfig = join(folder.path, 'kubeconfig.json');
    const access = { url: `https://127.0.0.1:${port}`, ca: files.serving.ca, token, kubeconfig };
    await files.writeKubeconfig(kubeconfig, access.url);
    const managerBinary = binaries['kube-controller-manager'];
    const manager =
      managerBinary === undefined
        ? undefined
        : await startControllerManager(folder, managerBinary, access, files);

    const stopApiServer = async (signal?: NodeJS.Signals) => apiServer?.stop(signal);
    return {
      ...access,
      pids: () => [apiServer, manager, etcd].flatMap((program) => (program?.isRunning() ? program.pid : [])),
      stopApiServer,
      async startApiServer() {
        if (apiServer?.isRunning()) return;
        apiServer = await startApiServer(folder, binaries['kube-apiserver'], { ...settings, port });
      },
      async stop() {
        // All data is discarded, so a graceful shutdown is not needed.
        await stopApiServer('SIGKILL');
        await manager?.stop('SIGKILL');
        await etcd.stop('SIGKILL');
        await folder.remove();
      },
    };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
