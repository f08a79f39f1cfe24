import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import type { PageState, RequestItem, RunView } from '../../src/page/view.ts';
import { podgraft, startProcess } from '../podgraft-process.ts';
import { listen } from './playground-process.ts';

const CONFIG = 'examples/quickstart/podgraft.yaml';
const SECRETS = ['hunter2', 'c2VjcmV0', 'last-applied-secret'];

function reviewOf(uid: string, object: object): string {
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid,
      operation: 'CREATE',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      namespace: 'shop',
      userInfo: { username: 'jane' },
      object,
    },
  });
}

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    generateName: 'web-',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'last-applied-secret' },
  },
  spec: {
    containers: [
      {
        name: 'web',
        image: 'nginx',
        env: [
          { name: 'PASSWORD', value: 'hunter2' },
          { name: 'REGION', value: 'c2VjcmV0' },
        ],
      },
    ],
  },
};

/** Workers share a port that they cannot choose. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

async function post(port: number, body: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/mutate`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  expect(response.status).toBe(200);
}

test.each([1, 2])(
  'serve --page with %i workers shows decisions as they are made, without secrets',
  async (workers) => {
    const port = await freePort();
    const server = await startProcess([
      ...['--http', '--port', String(port), '--config', CONFIG, '--page', '--workers', String(workers)],
    ]);
    const page = `http://localhost:${server.metricsPort}/page/`;
    const get = async (path: string) => (await fetch(page + path)).text();
    try {
      await expect
        .poll(async () => (await fetch(`http://localhost:${server.metricsPort}/readyz`)).status)
        .toBe(200);
      const listening = await listen(`${page}api/events`);
      await post(port, reviewOf('uid-1', POD));
      await expect
        .poll(() => listening.events)
        .toMatchObject([
          {
            name: 'request',
            data: { uid: 'uid-1', name: 'web-*', namespace: 'shop', user: 'jane', verdict: 'changed' },
          },
        ]);
      listening.stop();
      expect(JSON.parse(await get('api/state')) as PageState).toMatchObject({
        mode: 'requests',
        samples: [],
      });
      const list = await get('api/requests');
      expect((JSON.parse(list) as RequestItem[])[0]?.injectors).toEqual(['stamp', 'platform-defaults']);
      const text = await get('api/requests/uid-1');
      const view = JSON.parse(text) as RunView;
      expect(view.after).toContain('injected-by: my-webhook');
      expect(view.before).toContain('value: "***"');
      expect(view.kept).toEqual([
        {
          path: 'spec.containers[web].env[REGION].value',
          owner: 'platform-defaults',
          found: '***',
          wanted: '***',
        },
      ]);
      expect(view.stops.at(-1)).toMatchObject({ title: 'podgraft /mutate', outcome: 'changed' });
      expect(SECRETS.filter((secret) => (text + list).includes(secret))).toEqual([]);
      expect((await fetch(`${page}api/requests/unknown`)).status).toBe(404);
    } finally {
      await server.stop();
    }
  },
);

test('the page is only for callers on loopback, with a local host name', async () => {
  const server = await startProcess(['--self-signed', '--config', CONFIG, '--page']);
  try {
    const status = (host: string, headers = {}) =>
      new Promise((resolve, reject) => {
        const call = httpRequest(
          { host, port: server.metricsPort, path: '/page/api/state', headers },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        );
        call.on('error', reject);
        call.end();
      });
    expect(await status('127.0.0.1')).toBe(200);
    expect(await status('127.0.0.1', { Host: 'rebound.example.com' })).toBe(403);
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ internal, family }) => !internal && family === 'IPv4');
    // A machine without a network has only loopback.
    if (outside !== undefined) expect(await status(outside.address, { Host: 'localhost' })).toBe(403);
  } finally {
    await server.stop();
  }
});

test('there is no page without --page', async () => {
  const server = await startProcess(['--http', '--config', CONFIG]);
  try {
    expect((await fetch(`http://localhost:${server.metricsPort}/page/api/state`)).status).toBe(404);
  } finally {
    await server.stop();
  }
  expect((await podgraft(['serve', '--help'])).stdout).toContain('--page');
});
