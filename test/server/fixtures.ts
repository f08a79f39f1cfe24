import { readFileSync } from 'node:fs';
import { type Agent, request as httpsRequest } from 'node:https';
import { objectIdentifier, sequence } from '../../src/certificates/der.ts';
import { issueServing, makeCa, newKeys } from '../../src/certificates/issue-certificate.ts';
import { encodeName, signCertificate } from '../../src/certificates/sign-certificate.ts';
import { filesView } from '../../src/cluster/views/files-view.ts';
import { parseConfigText } from '../../src/config/load-config.ts';
import type { Log } from '../../src/server/log.ts';
import { createMetrics } from '../../src/server/metrics/metrics.ts';
import { type ServerOptions, startServer } from '../../src/server/start-server.ts';
import { fixedTls, type KeyPair } from '../../src/server/tls-source.ts';

export const review = JSON.parse(
  readFileSync(new URL('../../bench/rows/one-injector/review.json', import.meta.url), 'utf8'),
) as { apiVersion: string; request: Record<string, unknown> };

/** The review with a change to its request. */
export function withRequest(change: object) {
  return { ...review, request: { ...review.request, ...change } };
}

const now = new Date();
const ca = makeCa({ commonName: 'test', days: 1, now });
export const trusted = ca.certificate;

export function newPair(): KeyPair {
  const { certificate, key } = issueServing({
    ca,
    dnsNames: ['localhost'],
    ipAddresses: ['127.0.0.1'],
    days: 1,
    now,
  });
  return { cert: certificate, key };
}

/** A client certificate with this common name. */
export function clientPair(commonName: string): KeyPair {
  const { publicKey, privateKey } = newKeys();
  const clientAuth = sequence(objectIdentifier('1.3.6.1.5.5.7.3.2'));
  const cert = signCertificate(
    {
      issuer: encodeName('test'),
      subject: encodeName(commonName),
      notBefore: new Date(now.getTime() - 60_000),
      notAfter: new Date(now.getTime() + 3_600_000),
      publicKey,
      extensions: [{ id: '2.5.29.37', value: clientAuth }],
    },
    ca.key,
  );
  return { cert, key: privateKey };
}

/** Collects log lines. */
export function memoryLog(level: 'debug' | 'info' = 'info'): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const write = (fields: object, message: string) => lines.push(JSON.stringify({ ...fields, message }));
  return {
    lines,
    debug: write,
    info: write,
    warn: write,
    error: write,
    isLevelEnabled: (asked) => level === 'debug' || asked !== 'debug',
  };
}

/** A real server on a free port. */
export async function serve(config: string, options: Partial<ServerOptions> = {}) {
  const { pipeline, validate } = await parseConfigText(config, 'test.yaml');
  const log = memoryLog('debug');
  const metrics = createMetrics(new Set(['Pod']));
  const server = await startServer({
    pipeline,
    cluster: filesView([]),
    finalCheck: validate,
    port: 0,
    tls: fixedTls(newPair()),
    metrics,
    log,
    limits: { drainIdleMs: 50 },
    ...options,
  });
  return { ...server, log, metrics };
}

export type Server = Awaited<ReturnType<typeof serve>>;

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly agent?: Agent;
  /** Another address of this machine than 127.0.0.1. */
  readonly from?: string;
  readonly cert?: KeyPair;
}

/** Posts a review, or any text. */
export function postReview({ port }: Server, body: unknown): Promise<Answer> {
  return call(port, '/mutate?timeout=10s', typeof body === 'string' ? body : JSON.stringify(body));
}

export function call(
  port: number,
  path: string,
  body?: string | Buffer,
  options: CallOptions = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(
      {
        port,
        path,
        host: '127.0.0.1',
        method: options.method ?? (body === undefined ? 'GET' : 'POST'),
        ca: trusted,
        agent: options.agent ?? false,
        ...(options.from && { localAddress: options.from }),
        ...options.cert,
        headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...options.headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString(),
          }),
        );
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** The `response` of an answered review. */
export function responseOf(answer: Answer) {
  return (
    JSON.parse(answer.text) as { apiVersion: string; response: Record<string, unknown> & { patch?: string } }
  ).response;
}

export function patchOf(answer: Answer): unknown[] {
  const { patch } = responseOf(answer);
  return patch === undefined ? [] : (JSON.parse(Buffer.from(patch, 'base64').toString()) as unknown[]);
}
