import { createServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { filesView } from '../../src/cluster/views/files-view.ts';
import type { KubeObject } from '../../src/kube/kube-object.ts';
import { createCaller } from '../../src/server/make-calls.ts';
import { newPair, postReview, responseOf, review, type Server, serve, trusted } from './fixtures.ts';

const GATEKEEPER = `
apiVersion: podgraft.dev/v1alpha1
kind: Config
injectors: [{name: policies, use: gatekeeper}]
`;

/** A provider that replies with JSON after a while, and records the requested keys. */
interface Provider {
  readonly server: HttpsServer;
  readonly asked: string[][];
  answer: (keys: readonly string[]) => Promise<{ readonly status?: number; readonly text: string }>;
}

describe('a review that waits for external data', () => {
  const provider = createProvider();
  let server: Server;

  beforeAll(async () => {
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    const { port } = provider.server.address() as AddressInfo;
    const cluster = filesView([
      providerResource(`https://127.0.0.1:${port}/`),
      annotate('one', { provider: 'names', dataSource: 'Username' }),
      annotate('two', { provider: 'names', dataSource: 'Username', failurePolicy: 'Ignore' }),
    ]);
    server = await serve(GATEKEEPER, { cluster, call: createCaller() });
  });
  beforeEach(() => {
    provider.asked.length = 0;
    provider.answer = async (keys) => ({ text: reply(keys) });
  });
  afterAll(async () => {
    await server.drain();
    provider.server.closeAllConnections();
    provider.server.close();
  });

  it('makes one call for all keys, and uses the reply', async () => {
    const { patch } = patchOf(await postReview(server, review));
    expect(patch).toContain('real-name');
    const { username } = review.request.userInfo as { username: string };
    expect(provider.asked).toEqual([[username]]);
  });

  it.each([
    ['an error status', async () => ({ status: 500, text: '{}' }), 'HTTP status 500'],
    ['no JSON', async () => ({ text: 'hello' }), 'the reply is not JSON'],
    ['too much', async () => ({ text: 'x'.repeat(2 ** 21) }), 'the reply is larger than'],
    ['a late reply', () => sleep(3_000, { text: '{}' }), 'no reply within 1000 ms'],
  ])('fails the request if the provider sends %s', async (_, answer, message) => {
    provider.answer = answer;
    const { status, text } = await postReview(server, review);
    expect(status).toBe(500);
    expect(text).toContain(message);
  });

  it('does not trust another authority', async () => {
    const other = await serve(GATEKEEPER, {
      cluster: filesView([
        providerResource(
          `https://127.0.0.1:${(provider.server.address() as AddressInfo).port}/`,
          newPair().cert,
        ),
        annotate('one', { provider: 'names', dataSource: 'Username' }),
      ]),
      call: createCaller(),
    });
    expect((await postReview(other, review)).status).toBe(500);
    expect(provider.asked).toEqual([]);
    await other.drain();
  });
});

function createProvider(): Provider {
  const provider: Provider = {
    asked: [],
    answer: async (keys) => ({ text: reply(keys) }),
    server: createServer(newPair(), async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { keys } = JSON.parse(Buffer.concat(chunks).toString()).request as { keys: string[] };
      provider.asked.push(keys);
      const { status = 200, text } = await provider.answer(keys);
      response.writeHead(status).end(text);
    }),
  };
  return provider;
}

function reply(keys: readonly string[]): string {
  const items = keys.map((key) => ({ key, value: 'real-name' }));
  return JSON.stringify({ response: { idempotent: true, items } });
}

function providerResource(url: string, ca = trusted): KubeObject {
  return {
    apiVersion: 'externaldata.gatekeeper.sh/v1beta1',
    kind: 'Provider',
    metadata: { name: 'names' },
    spec: { url, timeout: 1, caBundle: btoa(ca) },
  } as KubeObject;
}

function annotate(name: string, externalData: object): KubeObject {
  return {
    apiVersion: 'mutations.gatekeeper.sh/v1',
    kind: 'AssignMetadata',
    metadata: { name },
    spec: { location: `metadata.annotations.${name}`, parameters: { assign: { externalData } } },
  } as KubeObject;
}

function patchOf(answer: Parameters<typeof responseOf>[0]): { readonly patch: string } {
  const { patch = '' } = responseOf(answer) as { patch?: string };
  return { patch: atob(patch) };
}
