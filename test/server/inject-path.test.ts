import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call, patchOf, review, serve } from './fixtures.ts';

const CONFIG = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors:
  - {name: mesh, use: istio, with: {demonstration: true, injectPath: /inject/cluster/home}}
`;

describe("the paths of Istio's webhook configurations", () => {
  let server: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    server = await serve(CONFIG);
  });
  afterAll(() => server.drain());

  /** The proxy's env that depends on the URL. */
  async function injectedBy(path: string) {
    const answer = await call(server.port, path, JSON.stringify(review));
    const patch = JSON.stringify(patchOf(answer));
    return ['ISTIO_META_CLUSTER_ID', 'ISTIO_META_NETWORK', 'ZONE'].map(
      (name) => new RegExp(`"name":"${name}","value":"([^"]*)"`).exec(patch)?.[1],
    );
  }

  test.each([
    ['/inject/cluster/east/net/one/zone/a', ['east', 'one', 'a']],
    ['/inject/cluster/a--slash--b?timeout=10s', ['a/b', undefined, undefined]],
    ['/inject/:ENV:cluster=east:ENV:zone=b', ['east', undefined, 'b']],
    ['/inject/net/n%C3%B6rd', [undefined, 'nörd', undefined]],
    ['/inject', ['home', undefined, undefined]],
    ['/mutate', ['home', undefined, undefined]],
  ])('%s', async (path, expected) => {
    expect(await injectedBy(path)).toEqual(expected);
  });

  test('other paths do not exist', async () => {
    expect((await call(server.port, '/injector', '{}')).status).toBe(404);
  });
});
