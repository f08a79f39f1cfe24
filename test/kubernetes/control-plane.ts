import {
  type ControlPlane as Plane,
  startControlPlane as startPlane,
} from '../../src/control-plane/start-control-plane.ts';
import { findBinaries } from './binaries.ts';
import { type Client, connect } from './client.ts';
import { eventually } from './eventually.ts';
import { createDefaultServiceAccount } from './namespace.ts';

export type ControlPlaneOptions = {
  authorizationMode?: 'AlwaysAllow' | 'RBAC';
  /** Whether to run kube-controller-manager. Without it, Deployments create no Pods. */
  controllers?: boolean;
  /** Additional flags for kube-apiserver; they override the defaults. */
  apiServerArgs?: readonly string[];
  /** The administrator's token, for tests that pass their own token file. Default: a random one. */
  token?: string;
};

export type ControlPlane = Client & Plane & { restartApiServer(signal?: NodeJS.Signals): Promise<void> };

/** The control plane of the playground, with a client for tests. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const { controllers = true, ...settings } = options;
  const { 'kube-controller-manager': manager, ...binaries } = findBinaries();
  const plane = await startPlane({
    ...settings,
    binaries: controllers ? { ...binaries, 'kube-controller-manager': manager } : binaries,
  });
  const { url, ca, token, kubeconfig } = plane;
  const client = connect({ url, ca, token, kubeconfig });
  if (!controllers) {
    // The API server creates the namespace shortly after it becomes ready.
    await eventually('namespace "default" has a ServiceAccount', async () => {
      await createDefaultServiceAccount(client, 'default');
      return true;
    });
  }
  const stopApiServer: Plane['stopApiServer'] = async (signal) => {
    client.disconnect();
    await plane.stopApiServer(signal);
  };
  return {
    ...plane,
    ...client,
    stopApiServer,
    async restartApiServer(signal) {
      await stopApiServer(signal);
      await plane.startApiServer();
    },
    async stop() {
      client.disconnect();
      await plane.stop();
    },
  };
}
