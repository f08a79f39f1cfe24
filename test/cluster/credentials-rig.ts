import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { builtin } from '../../src/kube/resource.ts';
import { answer, type FakeApiServer, refuse, startFakeApiServer } from './fake-api-server.ts';

/** The object that tests read. */
export const target = { ref: builtin('Namespace'), name: 'default' };
export const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } };

/** An API server that accepts one token, and a folder for kubeconfigs and tokens. Both are new for each test. */
export interface CredentialsRig {
  readonly server: FakeApiServer;
  readonly folder: string;
  goodToken: string;
  /** Returns the path of the file. */
  write(name: string, content: string | object): string;
  /** Its only context is the API server with this user. */
  kubeconfig(user: object, cluster?: object): object;
  /** The authorization headers of all calls so far. */
  presented(): (string | undefined)[];
}

export function credentialsRig(): CredentialsRig {
  let folder: string;
  let server: FakeApiServer;
  let goodToken: string;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'podgraft-credentials-'));
    goodToken = 'token-1';
    server = await startFakeApiServer(({ headers }, response) =>
      headers.authorization === `Bearer ${goodToken}`
        ? answer(response, object)
        : refuse(response, 401, 'Unauthorized'),
    );
  });
  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  return {
    get server() {
      return server;
    },
    get folder() {
      return folder;
    },
    get goodToken() {
      return goodToken;
    },
    set goodToken(token) {
      goodToken = token;
    },
    write: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
      return path;
    },
    kubeconfig: (user, cluster = {}) => ({
      clusters: [{ name: 'here', cluster: { server: server.url, ...cluster } }],
      users: [{ name: 'me', user }],
      contexts: [{ name: 'mine', context: { cluster: 'here', user: 'me', namespace: 'team-a' } }],
      'current-context': 'mine',
    }),
    presented: () => server.calls.map(({ headers }) => headers.authorization),
  };
}
