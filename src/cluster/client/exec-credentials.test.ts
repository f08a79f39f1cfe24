import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { credentialsRig, object, target } from '../../../test/cluster/credentials-rig.ts';
import { createClient } from './client.ts';
import type { Connection } from './connection.ts';
import { kubeconfigConnection } from './kubeconfig.ts';

const rig = credentialsRig();

describe('credentials from a plugin', () => {
  const apiVersion = 'client.authentication.k8s.io/v1';
  let now = Date.parse('2030-01-01T00:00:00Z');

  /** A shell script beside the kubeconfig that records its calls. */
  function plugin(body: string, more: object = {}): Connection {
    chmodSync(
      rig.write('plugin.sh', `#!/bin/sh\necho "$KUBERNETES_EXEC_INFO" >> "$0.runs"\n${body}\n`),
      0o755,
    );
    const exec = { apiVersion, command: './plugin.sh', args: ['get', 'token'], ...more };
    const path = rig.write('config', rig.kubeconfig({ exec }));
    return kubeconfigConnection({ path, env: { PATH: process.env.PATH }, now: () => now });
  }
  const grant = (status: object, version = apiVersion) =>
    `printf '%s' '${JSON.stringify({ apiVersion: version, kind: 'ExecCredential', status })}'`;
  const runs = () => readFileSync(join(rig.folder, 'plugin.sh.runs'), 'utf8').trim().split('\n');

  it('are requested once for many calls, and again when they have expired', async () => {
    const { credentials } = plugin(grant({ token: 'token-1', expirationTimestamp: '2030-01-01T01:00:00Z' }));
    await Promise.all([credentials.current(), credentials.current()]);
    expect(await credentials.current()).toEqual({ token: 'token-1' });
    expect(runs()).toHaveLength(1);
    now += 3_600_000;
    await credentials.current();
    expect(runs()).toHaveLength(2);
  });

  it('are requested again when the server refuses the token', async () => {
    rig.goodToken = 'token-2';
    const body = `n=$(wc -l < "$0.runs" | tr -d ' ')\nprintf '{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":{"token":"token-%s"}}' "$n"`;
    const kube = createClient(plugin(body));
    expect(await kube.get(target)).toEqual(object);
    expect(rig.presented()).toEqual(['Bearer token-1', 'Bearer token-2']);
    kube.close();
  });

  it('are requested with the configured environment, arguments and cluster info', async () => {
    const body = `printf '{"apiVersion":"${apiVersion}beta1","kind":"ExecCredential","status":{"token":"%s %s %s"}}' "$PROFILE" "$1" "$2"`;
    const more = {
      env: [{ name: 'PROFILE', value: 'dev' }],
      provideClusterInfo: true,
      apiVersion: `${apiVersion}beta1`,
    };
    const { credentials } = plugin(body, more);
    expect(await credentials.current()).toEqual({ token: 'dev get token' });
    expect(JSON.parse(runs()[0] ?? '')).toEqual({
      apiVersion: `${apiVersion}beta1`,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: rig.server.url } },
    });
  });

  it('may be a client certificate', async () => {
    const { credentials } = plugin(grant({ clientCertificateData: 'CERT', clientKeyData: 'KEY' }));
    expect(await credentials.current()).toEqual({ cert: 'CERT', key: 'KEY' });
  });

  it.each([
    ['that fails', 'echo hunter2; echo hunter2 >&2; exit 3', {}, 'it failed (3)'],
    ['that prints something else', 'echo hunter2', {}, 'its output is not a valid ExecCredential'],
    [
      'that prints another version',
      grant({ token: 'hunter2' }, `${apiVersion}beta1`),
      {},
      'its output is not a valid ExecCredential of client.authentication.k8s.io/v1',
    ],
    ['that grants nothing', grant({}), {}, 'its output has neither a token nor a certificate'],
    [
      'that is not installed',
      '',
      { command: 'no-such-plugin', installHint: 'See our wiki' },
      'the program was not found. See our wiki',
    ],
  ])('fail without leaking secrets for a plugin %s', async (_, body, more, message) => {
    const error = await plugin(body, { args: ['hunter2'], ...more })
      .credentials.current()
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'CLUSTER_CREDENTIALS_UNAVAILABLE' });
    expect(String(error)).toContain(message);
    expect(`${error} ${JSON.stringify(error)} ${(error as Error).cause}`).not.toContain('hunter2');
  });

  it('that arrive too late do not delay a call', async () => {
    const kube = createClient(plugin(`exec sleep 2`));
    await expect(kube.get(target, { timeoutMs: 100 })).rejects.toThrow('no answer within 100 ms');
    kube.close();
  });
});
