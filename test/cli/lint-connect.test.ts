import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { issueServing, makeCa } from '../../src/certificates/issue-certificate.ts';
import { podgraft } from '../podgraft-process.ts';

const DAY = 24 * 60 * 60 * 1000;
const now = new Date();
const ca = makeCa({ commonName: 'company', days: 365, now });
const other = makeCa({ commonName: 'another company', days: 365, now });
const ADDRESS = { ipAddresses: ['127.0.0.1'], dnsNames: ['localhost'] };

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

async function listen(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** A TLS server with this certificate, and how often it was called. */
async function present(serving: Partial<Parameters<typeof issueServing>[0]>) {
  const { certificate, key } = issueServing({ ca, ...ADDRESS, days: 365, now, ...serving });
  const calls = { count: 0 };
  const server = createServer({ cert: certificate, key }, (socket) => socket.end());
  server.on('connection', () => calls.count++);
  return { port: await listen(server), calls };
}

interface Report {
  findings: { rule: string; severity: string; message: string; path: string; line: number }[];
  unchecked: { subject: string; why: string }[];
}

/** The findings of the rules about certificates. */
async function lint(url: string, bundle: string | undefined, ...args: string[]): Promise<Report> {
  const caBundle = bundle === undefined ? '' : `caBundle: ${Buffer.from(bundle).toString('base64')}, `;
  const input = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks:
  - name: pods.example.com
    clientConfig: {${caBundle}url: "${url}"}
`;
  const { stdout, stderr } = await podgraft(['lint', '-', '-o', 'json', ...args], { input });
  expect(stderr).toBe('');
  const { findings, unchecked } = JSON.parse(stdout) as Report;
  return {
    findings: findings.filter(({ rule }) => /certificate|key|bundle/.test(rule)),
    unchecked,
  };
}

const messages = ({ findings }: Report) =>
  findings.map(({ severity, rule, message }) => `${severity} ${rule}: ${message}`);

test('makes no connections without --connect', async () => {
  const { port, calls } = await present({ ca: other });
  expect(await lint(`https://127.0.0.1:${port}/`, ca.certificate)).toEqual({ findings: [], unchecked: [] });
  expect(calls.count).toBe(0);
});

test('accepts a server whose certificate the caBundle trusts, by name and by address', async () => {
  const { port, calls } = await present({});
  for (const host of ['127.0.0.1', 'localhost']) {
    const report = await lint(`https://${host}:${port}/validate`, ca.certificate, '--connect');
    expect(report).toEqual({ findings: [], unchecked: [] });
  }
  expect(calls.count).toBe(2);
});

test('the issuer of the certificate is not in the caBundle', async () => {
  const { port } = await present({ ca: other });
  const url = `https://127.0.0.1:${port}/`;
  const report = await lint(url, ca.certificate, '--connect');
  expect(messages(report)).toEqual([
    `error certificate-issuer: validating webhook "pods.example.com": caBundle does not contain the issuer of the certificate that ${url} presents (CN=another company)`,
  ]);
  expect(report.findings[0]).toMatchObject({ path: '/webhooks/0/clientConfig/caBundle', line: 6 });
  // During a rotation, the bundle contains both.
  const both = ca.certificate + other.certificate;
  expect((await lint(url, both, '--connect')).findings).toEqual([]);
});

test('without a caBundle, no public CA is the issuer', async () => {
  const { port } = await present({});
  const report = await lint(`https://localhost:${port}/`, undefined, '--connect');
  expect(messages(report)).toEqual([
    `warning certificate-issuer: validating webhook "pods.example.com" has no caBundle, and no public CA issued the certificate that https://localhost:${port}/ presents (CN=company)`,
  ]);
});

test('the certificate is for another name, or has expired', async () => {
  const named = await present({ ipAddresses: [], dnsNames: ['webhook.example.svc'] });
  expect(messages(await lint(`https://localhost:${named.port}/`, ca.certificate, '--connect'))).toEqual([
    `error certificate-name: https://localhost:${named.port}/: the certificate of webhook "pods.example.com" is not for localhost, but for DNS:webhook.example.svc`,
  ]);
  const before = new Date(now.getTime() - 40 * DAY);
  const oldCa = makeCa({ commonName: 'company', days: 365, now: before });
  const old = await present({ ca: oldCa, days: 30, now: before });
  const report = await lint(`https://localhost:${old.port}/`, oldCa.certificate, '--connect');
  expect(messages(report)).toEqual([
    expect.stringMatching(/^error certificate-expiry: https:\S+ the certificate of .* expired on 20\d\d-/),
  ]);
});

test('lists servers that cannot be reached, or do not use TLS, as unchecked', async () => {
  const gone = createTcpServer();
  const closed = await listen(gone);
  gone.close();
  const silent = await listen(createTcpServer((socket) => socket.on('error', () => {})));
  const plain = await listen(createTcpServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
  for (const [url, why] of [
    [`https://127.0.0.1:${closed}/`, /^dial tcp 127\.0\.0\.1:\d+: connect: connection refused$/],
    [`https://127.0.0.1:${silent}/`, /^no TLS handshake within 5 seconds$/],
    [`https://127.0.0.1:${plain}/`, /wrong version number|EOF|packet length/],
    ['http://127.0.0.1:80/', /^not an https URL$/],
  ] as const) {
    const { findings, unchecked } = await lint(url, ca.certificate, '--connect');
    expect({ findings, unchecked }).toEqual({
      findings: [],
      unchecked: [{ subject: `the certificate of ${url}`, why: expect.stringMatching(why) }],
    });
  }
}, 30_000);

test('lists a Service as unchecked', async () => {
  const input = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: example}
webhooks: [{name: pods.example.com, clientConfig: {service: {namespace: shop, name: webhook}}}]
`;
  const { stdout } = await podgraft(['lint', '-', '--connect'], { input });
  expect(stdout).toMatch(/^Score \d+ of 100 .*\(not everything was checked: see below\)$/m);
  expect(stdout).toContain(
    'Not checked\n  the certificate of Service "shop/webhook"  a Service can be reached from inside the cluster only',
  );
});
