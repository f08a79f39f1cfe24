import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withFreePorts } from '../../src/control-plane/free-ports.ts';
import { openGuardedFolder } from '../../src/control-plane/guarded-folder.ts';
import { startProgram } from '../../src/control-plane/program.ts';
import { findBinaries } from './binaries.ts';

describe('withFreePorts', () => {
  it('tries other ports if one is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const takenUrl = `http://127.0.0.1:${(taken.address() as AddressInfo).port}`;
    const folder = openGuardedFolder();
    const tried: string[] = [];
    try {
      const program = await withFreePorts(1, ([port]) => {
        const url = tried.length === 0 ? takenUrl : `http://127.0.0.1:${port}`;
        tried.push(url);
        // biome-ignore format: an option and its value per line
        const args = [
          '--data-dir', join(folder.path, `${tried.length}`),
          '--listen-client-urls', url,
          '--advertise-client-urls', url,
          '--listen-peer-urls', 'http://127.0.0.1:0',
        ];
        return startProgram(folder, findBinaries().etcd, args, async () => (await fetch(`${url}/health`)).ok);
      });
      expect(program.isRunning()).toBe(true);
      expect(tried).toHaveLength(2);
    } finally {
      await folder.remove();
      taken.close();
    }
  });

  it('rethrows any other error', async () => {
    await expect(withFreePorts(1, () => Promise.reject(new Error('no etcd')))).rejects.toThrow('no etcd');
  });
});
