import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { credentialsRig, object, target } from '../../../test/cluster/credentials-rig.ts';
import { createClient } from './client.ts';
import type { Connection } from './connection.ts';
import { findConnection, inClusterConnection } from './find-connection.ts';

const rig = credentialsRig();

describe('a connection from inside a cluster', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
  let now = 0;
  const mount = (token: string) => {
    rig.write('token', `${token}\n`);
    rig.write('ca.crt', 'a CA');
    rig.write('namespace', 'podgraft');
  };
  const connect = () => inClusterConnection({ env, folder: rig.folder, now: () => now });
  const client = (connection: Connection) => createClient({ ...connection, server: new URL(rig.server.url) });

  it('reads address, CA and namespace from where Kubernetes puts them', () => {
    mount('token-1');
    const connection = connect();
    expect(connection.server.href).toBe('https://[fd00::1]:6443/');
    expect(connection).toMatchObject({ tls: { ca: 'a CA' }, namespace: 'podgraft' });
  });

  it('reads a rotated token after a few seconds', async () => {
    mount('token-1');
    const { credentials } = connect();
    expect(await credentials.current()).toEqual({ token: 'token-1' });
    mount('token-2');
    utimesSync(join(rig.folder, 'token'), 1, 1);
    expect(await credentials.current()).toEqual({ token: 'token-1' });
    now += 5_000;
    expect(await credentials.current()).toEqual({ token: 'token-2' });
  });

  it('reads a rotated token at once when the old one is refused', async () => {
    mount('token-1');
    const kube = client(connect());
    await kube.get(target);
    rig.goodToken = 'token-2';
    mount('token-2');
    expect(await kube.get(target)).toEqual(object);
    expect(rig.presented()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
    kube.close();
  });

  it('does not try a refused token again', async () => {
    mount('stale');
    const kube = client(connect());
    const error = await kube.get(target).catch((error: unknown) => error);
    expect(error).toMatchObject({ status: 401, reason: 'Unauthorized' });
    expect(String(error)).not.toContain('stale');
    expect(rig.server.calls).toHaveLength(1);
    kube.close();
  });

  it('names what is missing', () => {
    expect(() => inClusterConnection({ env: {}, folder: rig.folder })).toThrow(
      'KUBERNETES_SERVICE_HOST is not set',
    );
    expect(() => connect()).toThrow(/ca\.crt" \(is automountServiceAccountToken off\?\)/);
  });

  it('is used unless a kubeconfig was chosen', () => {
    mount('token-1');
    expect(findConnection({ env, folder: rig.folder }).server.port).toBe('6443');
    const path = rig.write('config', rig.kubeconfig({ token: 'token-1' }));
    expect(findConnection({ env: { ...env, KUBECONFIG: path }, folder: rig.folder }).server.port).not.toBe(
      '6443',
    );
    expect(() => findConnection({ env: { HOME: rig.folder }, folder: rig.folder })).toThrow(
      'Cannot read kubeconfig',
    );
  });
});
