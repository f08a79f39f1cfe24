import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { credentialsRig, object, target } from '../../../test/cluster/credentials-rig.ts';
import { createClient } from './client.ts';
import type { Connection } from './connection.ts';
import { kubeconfigConnection } from './kubeconfig.ts';

const rig = credentialsRig();

describe('a connection from a kubeconfig', () => {
  const open = (user: object, more: object = {}) =>
    kubeconfigConnection({ path: rig.write('config', rig.kubeconfig(user, more)) });
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

  it('prefers a token file beside the kubeconfig to a token', async () => {
    rig.write('my-token', 'token-1\n');
    expect(await get(open({ token: 'old', tokenFile: 'my-token' }))).toEqual(object);
  });

  it('reads certificates as data and from files beside the kubeconfig', async () => {
    rig.write('client.crt', 'CERT');
    rig.write('ca.crt', 'CA FILE');
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

  it('uses a context by name, from any of several files', async () => {
    const first = rig.write('first', rig.kubeconfig({ token: 'wrong' }));
    const second = rig.write('second', {
      users: [
        { name: 'me', user: { token: 'never used: the first file wins' } },
        { name: 'you', user: { token: 'token-1' } },
      ],
      contexts: [{ name: 'other', context: { cluster: 'here', user: 'you' } }],
    });
    const env = { KUBECONFIG: `${first}:${join(rig.folder, 'not-there')}:${second}` };
    expect(await get(kubeconfigConnection({ env, context: 'other' }))).toEqual(object);
    expect(await kubeconfigConnection({ env }).credentials.current()).toEqual({ token: 'wrong' });
    expect(() => kubeconfigConnection({ env, context: 'third' })).toThrow('unknown context "third"');
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
      'an invalid server URL',
      { token: 'hunter2' },
      { server: 'hunter2' },
      'the server of cluster "here" is not an http(s) URL',
    ],
    ['a token that is not a string', { token: { hunter2: 1 } }, {}, 'users.0.user.token: expected'],
    [
      'an unknown plugin version',
      { exec: { apiVersion: 'hunter2', command: 'x' } },
      {},
      'users.0.user.exec.apiVersion',
    ],
  ])('rejects %s without leaking secrets', (_, user, cluster, message) => {
    const error = thrownBy(() => open(user, cluster));
    expect(error).toMatchObject({ code: 'KUBECONFIG_INVALID' });
    expect(String(error)).toContain(message);
    expect(String(error)).not.toContain('hunter2');
  });

  it('names the line of invalid YAML without quoting it', () => {
    const path = rig.write('config', 'users:\n- user:\n    token: "hunter2\n');
    const error = thrownBy(() => kubeconfigConnection({ path }));
    expect(String(error)).toMatch(/Cannot read kubeconfig ".*": line \d+: invalid YAML/);
    expect(String(error)).not.toContain('hunter2');
  });

  it('rejects a missing current-context', () => {
    expect(() => kubeconfigConnection({ path: rig.write('config', {}) })).toThrow(
      'choose one with --context',
    );
  });
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('Expected an error');
}
