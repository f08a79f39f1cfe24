import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withFreePorts } from '../../../src/control-plane/free-ports.ts';
import { openGuardedFolder } from '../../../src/control-plane/guarded-folder.ts';
import { startProgram } from '../../../src/control-plane/program.ts';
import type { Access } from '../../kubernetes/client.ts';
import { makeCgroup } from './cgroups.ts';
import { API_SERVICE_ADDRESS, NODE_ADDRESS } from './cluster.ts';
import { startContainerRuntime } from './container-runtime.ts';
import { startControlPlane } from './control-plane.ts';
import { writeCredentials } from './credentials.ts';
import { makeNamespaces, type Namespaces } from './namespaces.ts';
import { startNodePrograms } from './node-programs.ts';

const FORWARD = fileURLToPath(new URL('forward.mjs', import.meta.url));

export interface NodeOptions {
  /** Folder with the extracted packages of the container runtime. */
  readonly runtime: string;
  /** OCI archives. */
  readonly images: readonly string[];
  readonly sandboxImage: string;
}

export interface ClusterNode extends Access {
  /** The folder with the logs of all programs. */
  readonly folder: string;
  importImage(archive: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * A cluster of one real node, in namespaces of this machine: Pods run, Services work. Everything ends with this process, even if it is
 * killed; only empty cgroups remain then, which the next start removes.
 */
export async function startNode({ runtime: files, images, sandboxImage }: NodeOptions): Promise<ClusterNode> {
  const cgroup = makeCgroup();
  const folder = openGuardedFolder();
  const stop = async () => {
    await folder.remove();
    await cgroup.remove();
  };
  try {
    const namespaces = await makeNamespaces(folder, NODE_ADDRESS);
    const credentials = writeCredentials(folder.path, ['127.0.0.1', NODE_ADDRESS, API_SERVICE_ADDRESS]);
    const url = await withFreePorts(1, async ([port = 0]) => {
      await forwardApi(folder, namespaces, port);
      return `https://127.0.0.1:${port}`;
    });
    const programs = { folder, namespaces, credentials, url };
    const [runtime] = await Promise.all([
      startContainerRuntime(folder, namespaces, files, sandboxImage),
      startControlPlane(programs),
    ]);
    for (const archive of images) await runtime.importImage(archive);
    await startNodePrograms(programs, runtime, cgroup.name);
    const kubeconfig = credentials.kubeconfigFor('admin', url);
    const { ca, token } = credentials;
    return { url, ca, token, kubeconfig, folder: folder.path, importImage: runtime.importImage, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Makes the API server, which is in the node's network, reachable on loopback. */
async function forwardApi(
  folder: ReturnType<typeof openGuardedFolder>,
  namespaces: Namespaces,
  port: number,
): Promise<void> {
  const socket = join(folder.path, `api-${port}.sock`);
  const log = (name: string) => () =>
    Promise.resolve(readFileSync(join(folder.path, `${name}.log`), 'utf8') !== '');
  const inside = namespaces.script('forward', process.execPath);
  await startProgram(folder, inside, [FORWARD, socket, `${NODE_ADDRESS}:6443`], log('forward'));
  await startProgram(folder, process.execPath, [FORWARD, `127.0.0.1:${port}`, socket], log('node'));
}
