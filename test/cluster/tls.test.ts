import { X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueServing, makeCa } from '../../src/certificates/issue-certificate.ts';
import { createClient } from '../../src/cluster/client/client.ts';
import type { Credential, TlsSettings } from '../../src/cluster/client/connection.ts';
import { builtin } from '../../src/kube/resource.ts';
import { answer } from './fake-api-server.ts';

describe('the client over TLS', () => {
  const now = new Date();
  const ca = makeCa({ commonName: 'test', days: 1, now });
  const serving = issueServing({ ca, dnsNames: ['kube.example'], days: 1, now });
  const mine = issueServing({ ca, dnsNames: ['me'], days: 1, now });
  const renewed = issueServing({ ca, dnsNames: ['me'], days: 1, now });
  let server: Server;
  /** Fingerprints of the client certificates. */
  const shown: (string | undefined)[] = [];

  beforeAll(async () => {
    const tls = { cert: serving.certificate, key: serving.key, ca: ca.certificate };
    server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
      // Empty for a client without certificate, contrary to the types.
      const peer = (request.socket as TLSSocket).getPeerCertificate() as { fingerprint256?: string };
      shown.push(peer.fingerprint256);
      answer(response, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  async function get(tls: TlsSettings, ...credentials: Credential[]): Promise<unknown> {
    const { port } = server.address() as AddressInfo;
    let turn = 0;
    const kube = createClient({
      server: new URL(`https://127.0.0.1:${port}`),
      tls,
      credentials: { current: async () => credentials[turn++] ?? {}, refused: () => {} },
    });
    try {
      const results = [];
      for (let call = 0; call < Math.max(1, credentials.length); call++) {
        results.push(await kube.get({ ref: builtin('Namespace'), name: 'default' }));
      }
      return results.at(-1);
    } finally {
      kube.close();
    }
  }
  const trusted = { ca: ca.certificate, serverName: 'kube.example' };

  it('trusts a server that its CA has certified under the expected name', async () => {
    expect(await get(trusted)).toBeDefined();
  });

  it.each([
    ['certified by another CA', { serverName: 'kube.example' }],
    ['certified under another name', { ca: ca.certificate }],
  ])('does not trust a server %s', async (_, tls) => {
    await expect(get(tls)).rejects.toMatchObject({ code: 'CLUSTER_API_UNREACHABLE' });
  });

  it('trusts any server if verification is off', async () => {
    expect(await get({ insecure: true })).toBeDefined();
  });

  it('presents its certificate, and a renewed one on a new connection', async () => {
    shown.length = 0;
    const pairs = [mine, mine, renewed].map(({ certificate, key }) => ({ cert: certificate, key }));
    await get(trusted, ...pairs);
    const print = (pair: typeof mine) => new X509Certificate(pair.certificate).fingerprint256;
    expect(shown).toEqual([print(mine), print(mine), print(renewed)]);
  });
});
