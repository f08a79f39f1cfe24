import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { accepted } from './client.ts';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { eventually } from './eventually.ts';
import { createNamespace } from './namespace.ts';
import { nginxPod } from './pods.ts';

const pods = '/api/v1/namespaces/default/pods';

describe('a separate control plane', () => {
  let plane: ControlPlane | undefined;
  afterEach(() => plane?.stop());

  it('keeps its objects and address when the API server restarts', async () => {
    plane = await startControlPlane({ controllers: false });
    accepted(await plane.request('POST', pods, nginxPod('before')));
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await plane.restartApiServer(signal);
      expect((await plane.request('GET', `${pods}/before`)).status).toBe(200);
    }
    accepted(await plane.request('POST', pods, nginxPod('after')));
  });

  it('refuses connections while the API server is stopped', async () => {
    plane = await startControlPlane({ controllers: false });
    await plane.stopApiServer();
    await expect(plane.request('GET', pods)).rejects.toThrow('ECONNREFUSED');
    await plane.startApiServer();
    expect((await plane.request('GET', pods)).status).toBe(200);
  });

  it('enforces RBAC', async () => {
    plane = await startControlPlane({ controllers: false, authorizationMode: 'RBAC' });
    await createNamespace(plane, 'team-a');
    const { stdout: token } = await plane.kubectl(['create', 'token', 'default', '-n', 'team-a']);
    const asServiceAccount = { token: token.trim() };
    expect((await plane.request('GET', pods, undefined, asServiceAccount)).status).toBe(403);
    expect((await plane.request('GET', pods)).status).toBe(200);
  });

  it('leaves no processes or files behind', async () => {
    plane = await startControlPlane();
    const pids = plane.pids();
    expect(pids).toHaveLength(3);
    expect(pids.filter(isAlive)).toEqual(pids);
    await plane.stop();
    expect(plane.pids()).toEqual([]);
    expect(pids.filter(isAlive)).toEqual([]);
    expect(existsSync(dirname(plane.kubeconfig))).toBe(false);
  });
});

describe('a control plane whose parent process dies', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('exits with it after %s', async (signal) => {
    const script = fileURLToPath(new URL('start-and-wait.mjs', import.meta.url));
    const starter = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: starter.stdout }), 'line');
    const { pids, folder } = JSON.parse(line) as { pids: number[]; folder: string };
    expect(pids.filter(isAlive)).toHaveLength(2);

    starter.kill(signal);
    await once(starter, 'exit');
    await eventually('all processes have ended', () => pids.filter(isAlive).length === 0);
    await eventually('the folder is removed', () => !existsSync(folder));
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
