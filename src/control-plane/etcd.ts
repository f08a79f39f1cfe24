import { join } from 'node:path';
import { withFreePorts } from './free-ports.ts';
import type { GuardedFolder } from './guarded-folder.ts';
import { type RunningProgram, startProgram } from './program.ts';

export async function startEtcd(
  folder: GuardedFolder,
  binary: string,
): Promise<RunningProgram & { url: string }> {
  return withFreePorts(2, async ([clientPort, peerPort]) => {
    const url = `http://127.0.0.1:${clientPort}`;
    const peerUrl = `http://127.0.0.1:${peerPort}`;
    const args = [
      '--name=test',
      // Named by port, so that a second attempt does not find data of the first.
      `--data-dir=${join(folder.path, `etcd-${clientPort}`)}`,
      `--listen-client-urls=${url}`,
      `--advertise-client-urls=${url}`,
      `--listen-peer-urls=${peerUrl}`,
      `--initial-advertise-peer-urls=${peerUrl}`,
      `--initial-cluster=test=${peerUrl}`,
      // The data is discarded after the run.
      '--unsafe-no-fsync',
    ];
    const program = await startProgram(folder, binary, args, async () => (await fetch(`${url}/health`)).ok);
    return { ...program, url };
  });
}
