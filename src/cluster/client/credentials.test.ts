import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  answer,
  type FakeApiServer,
  refuse,
  startFakeApiServer,
} from '../../../test/cluster/fake-api-server.ts';
import { builtin } from '../../kube/resource.ts';
import { createClient } from './client.ts';
import type { Connection } from './connection.ts';
import { findConnection } from './find-connection.ts';
import { inClusterConnection } from './in-cluster.ts';
import { kubeconfigConnection } from './kubeconfig.ts';

const target = { ref: builtin('Namespace'), name: 'default' };
const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } };

let folder: string;
let server: FakeApiServer;
let good: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'podgraft-credentials-'));
  good = 'token-1';
  server = await startFakeApiServer(({ headers }, response) =>
    headers.authorization === `Bearer ${good}`
      ? answer(response, object)
      : refuse(response, 401, 'Unauthorized'),
  );
});
afterEach(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

const write = (name: string, content: string | object) => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
};
const presented = () => server.calls.map(({ headers }) => headers.authorization);

describe('inside a cluster', () => {
  const env = { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' };
  let now = 0;
  const mount = (token: string) => {
    write('token', `${token}\n`);
    write('ca.crt', 'a CA');
    write('namespace', 'podgraft');
  };
  const connect = () => inClusterConnection({ env, folder, now: () => now });
  const client = (connection: Connection) => createClient({ ...connection, server: new URL(server.url) });

  it('takes address, CA and namespace from where Kubernetes puts them', () => {
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
    utimesSync(join(folder, 'token'), 1, 1);
    expect(await credentials.current()).toEqual({ token: 'token-1' });
    now += 5_000;
    expect(await credentials.current()).toEqual({ token: 'token-2' });
  });

  it('reads a rotated token at once when the old one is refused', async () => {
    mount('token-1');
    const kube = client(connect());
    await kube.get(target);
    good = 'token-2';
    mount('token-2');
    expect(await kube.get(target)).toEqual(object);
    expect(presented()).toEqual(['Bearer token-1', 'Bearer token-1', 'Bearer token-2']);
    kube.close();
  });

  it('does not try the same token twice', async () => {
    mount('stale');
    const kube = client(connect());
    const error = await kube.get(target).catch((error: unknown) => error);
    expect(error).toMatchObject({ status: 401, reason: 'Unauthorized' });
    expect(String(error)).not.toContain('stale');
    expect(server.calls).toHaveLength(1);
    kube.close();
  });

  it('says what is missing', () => {
    expect(() => inClusterConnection({ env: {}, folder })).toThrow('KUBERNETES_SERVICE_HOST is not set');
    expect(() => connect()).toThrow(/ca\.crt" \(is automountServiceAccountToken off\?\)/);
  });

  it('is found where no kubeconfig was asked for', () => {
    mount('token-1');
    expect(findConnection({ env, folder }).server.port).toBe('6443');
    const path = write('config', kubeconfig({ token: 'token-1' }));
    expect(findConnection({ env: { ...env, KUBECONFIG: path }, folder }).server.port).not.toBe('6443');
    expect(() => findConnection({ env: { HOME: folder }, folder })).toThrow('Cannot read kubeconfig');
  });
});

describe('by a kubeconfig', () => {
  const open = (user: object, more: object = {}) =>
    kubeconfigConnection({ path: write('config', kubeconfig(user, more)) });
  const get = async (connection: Connection) => {
    const kube = createClient(connection);
    try {
      return await kube.get(target);
    } finally {
      kube.close();
    }
  };

  it('uses the token of the current context', async () => {
    const connection = open({ token: 'token-1' });
    expect(connection.namespace).toBe('team-a');
    expect(await get(connection)).toEqual(object);
  });

  it('uses a token file beside the kubeconfig, before a token', async () => {
    write('my-token', 'token-1\n');
    expect(await get(open({ token: 'old', tokenFile: 'my-token' }))).toEqual(object);
  });

  it('reads certificates as data and as files beside it', async () => {
    write('client.crt', 'CERT');
    write('ca.crt', 'CA FILE');
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    const user = { 'client-certificate': 'client.crt', 'client-key-data': base64('KEY') };
    const files = open(user, { 'certificate-authority': 'ca.crt', 'tls-server-name': 'kube' });
    expect(await files.credentials.current()).toEqual({ cert: 'CERT', key: 'KEY' });
    expect(files.tls).toEqual({ ca: 'CA FILE', serverName: 'kube' });
    const data = open(user, {
      'certificate-authority-data': base64('CA DATA'),
      'insecure-skip-tls-verify': true,
    });
    expect(data.tls).toEqual({ ca: 'CA DATA', insecure: true });
  });

  it('uses another context by name, from any of several files', async () => {
    const first = write('first', kubeconfig({ token: 'wrong' }));
    const second = write('second', {
      users: [
        { name: 'me', user: { token: 'never used: the first file wins' } },
        { name: 'you', user: { token: 'token-1' } },
      ],
      contexts: [{ name: 'other', context: { cluster: 'here', user: 'you' } }],
    });
    const env = { KUBECONFIG: `${first}:${join(folder, 'not-there')}:${second}` };
    expect(await get(kubeconfigConnection({ env, context: 'other' }))).toEqual(object);
    expect(await kubeconfigConnection({ env }).credentials.current()).toEqual({ token: 'wrong' });
    expect(() => kubeconfigConnection({ env, context: 'third' })).toThrow('it holds no context "third"');
  });

  it.each([
    [
      'a proxy',
      { token: 'hunter2' },
      { 'proxy-url': 'http://user:hunter2@proxy' },
      'cluster "here" has a proxy-url',
    ],
    ['a password', { username: 'me', password: 'hunter2' }, {}, 'user "me" has "username"'],
    ['impersonation', { token: 'hunter2', as: 'somebody' }, {}, 'user "me" has "as"'],
    [
      'a server that is no URL',
      { token: 'hunter2' },
      { server: 'hunter2' },
      'a server that is no http(s) URL',
    ],
    ['a token that is no text', { token: { hunter2: 1 } }, {}, 'users.0.user.token: expected'],
    [
      'an unknown kind of plugin',
      { exec: { apiVersion: 'hunter2', command: 'x' } },
      {},
      'users.0.user.exec.apiVersion',
    ],
  ])('refuses %s in words that hold no secret', (_, user, cluster, message) => {
    const error = thrownBy(() => open(user, cluster));
    expect(error).toMatchObject({ code: 'KUBECONFIG_INVALID' });
    expect(String(error)).toContain(message);
    expect(String(error)).not.toContain('hunter2');
  });

  it('names the line where the file is no YAML, and does not repeat it', () => {
    const path = write('config', 'users:\n- user:\n    token: "hunter2\n');
    const error = thrownBy(() => kubeconfigConnection({ path }));
    expect(String(error)).toMatch(/Cannot read kubeconfig ".*": line \d+: no valid YAML/);
    expect(String(error)).not.toContain('hunter2');
  });

  it('says that it names no context', () => {
    expect(() => kubeconfigConnection({ path: write('config', {}) })).toThrow('choose one by --context');
  });
});

describe('by a plugin', () => {
  const apiVersion = 'client.authentication.k8s.io/v1';
  let now = Date.parse('2030-01-01T00:00:00Z');

  /** A shell script beside the kubeconfig that notes how it was called. */
  function plugin(body: string, more: object = {}): Connection {
    chmodSync(write('plugin.sh', `#!/bin/sh\necho "$KUBERNETES_EXEC_INFO" >> "$0.runs"\n${body}\n`), 0o755);
    const exec = { apiVersion, command: './plugin.sh', args: ['get', 'token'], ...more };
    const path = write('config', kubeconfig({ exec }));
    return kubeconfigConnection({ path, env: { PATH: process.env.PATH }, now: () => now });
  }
  const grant = (status: object, version = apiVersion) =>
    `printf '%s' '${JSON.stringify({ apiVersion: version, kind: 'ExecCredential', status })}'`;
  const runs = () => readFileSync(join(folder, 'plugin.sh.runs'), 'utf8').trim().split('\n');

  it('runs it once for many calls, and again when its credential has expired', async () => {
    const { credentials } = plugin(grant({ token: 'token-1', expirationTimestamp: '2030-01-01T01:00:00Z' }));
    await Promise.all([credentials.current(), credentials.current()]);
    expect(await credentials.current()).toEqual({ token: 'token-1' });
    expect(runs()).toHaveLength(1);
    now += 3_600_000;
    await credentials.current();
    expect(runs()).toHaveLength(2);
  });

  it('runs it again when the server refuses the token', async () => {
    good = 'token-2';
    const body = `n=$(wc -l < "$0.runs" | tr -d ' ')\nprintf '{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":{"token":"token-%s"}}' "$n"`;
    const kube = createClient(plugin(body));
    expect(await kube.get(target)).toEqual(object);
    expect(presented()).toEqual(['Bearer token-1', 'Bearer token-2']);
    kube.close();
  });

  it('gives it its environment, its arguments and what it asks to know of the cluster', async () => {
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
      spec: { interactive: false, cluster: { server: server.url } },
    });
  });

  it('takes a client certificate', async () => {
    const { credentials } = plugin(grant({ clientCertificateData: 'CERT', clientKeyData: 'KEY' }));
    expect(await credentials.current()).toEqual({ cert: 'CERT', key: 'KEY' });
  });

  it.each([
    ['fails', 'echo hunter2; echo hunter2 >&2; exit 3', {}, 'it failed (3)'],
    ['prints something else', 'echo hunter2', {}, 'it printed no ExecCredential'],
    [
      'speaks another version',
      grant({ token: 'hunter2' }, `${apiVersion}beta1`),
      {},
      'it speaks another version',
    ],
    ['gives nothing', grant({}), {}, 'it gave neither a token nor a certificate'],
    [
      'is not there',
      '',
      { command: 'no-such-plugin', installHint: 'See our wiki' },
      'there is no such program. See our wiki',
    ],
  ])('says without secrets that it %s', async (_, body, more, message) => {
    const error = await plugin(body, { args: ['hunter2'], ...more })
      .credentials.current()
      .catch((error: unknown) => error);
    expect(error).toMatchObject({ code: 'CLUSTER_CREDENTIALS_UNAVAILABLE' });
    expect(String(error)).toContain(message);
    expect(`${error} ${JSON.stringify(error)} ${(error as Error).cause}`).not.toContain('hunter2');
  });

  it('does not let a slow one hold up a call', async () => {
    const kube = createClient(plugin(`exec sleep 2`));
    await expect(kube.get(target, { timeoutMs: 100 })).rejects.toThrow('no answer within 100 ms');
    kube.close();
  });
});

function kubeconfig(user: object, cluster: object = {}) {
  return {
    clusters: [{ name: 'here', cluster: { server: server.url, ...cluster } }],
    users: [{ name: 'me', user }],
    contexts: [{ name: 'mine', context: { cluster: 'here', user: 'me', namespace: 'team-a' } }],
    'current-context': 'mine',
  };
}

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('Expected an error');
}
