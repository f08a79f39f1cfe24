import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { makeCertificates } from './certificates.ts';

/** The fields of an admission.k8s.io/v1 request that tests read. */
export type ReviewRequest = {
  uid: string;
  name?: string;
  namespace?: string;
  operation: string;
  dryRun: boolean;
  kind: { group: string; version: string; kind: string };
  userInfo: { username: string };
  object: unknown;
  oldObject: unknown;
};

export type ReviewAnswer = {
  /** Default: true. */
  allowed?: boolean;
  status?: { code?: number; reason?: string; message?: string };
  patch?: readonly { op: string; path: string; value?: unknown; from?: string }[];
  warnings?: readonly string[];
};

export type WebhookFixture = {
  readonly url: string;
  /** Base64 of PEM, as in webhook configurations. */
  readonly caBundle: string;
  /** All requests, in order of arrival. */
  readonly calls: ReviewRequest[];
  stop(): Promise<void>;
};

/** A third-party webhook. `answer` decides; an exception becomes a 500. */
export async function startWebhook(
  answer: (request: ReviewRequest) => ReviewAnswer | Promise<ReviewAnswer>,
): Promise<WebhookFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'podgraft-webhook-'));
  const { ca, cert, key } = await makeCertificates(folder).finally(() => rm(folder, { recursive: true }));
  const calls: ReviewRequest[] = [];

  const server = createServer({ cert, key }, async (incoming, outgoing) => {
    try {
      const { request } = (await json(incoming)) as { request: ReviewRequest };
      calls.push(request);
      const review = encode(request.uid, await answer(request));
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(review));
    } catch (error) {
      outgoing.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `https://127.0.0.1:${port}/`,
    caBundle: Buffer.from(ca).toString('base64'),
    calls,
    async stop() {
      const closed = once(server, 'close');
      server.close();
      // The API server keeps its connections open.
      server.closeAllConnections();
      await closed;
    },
  };
}

function encode(uid: string, { patch, ...answer }: ReviewAnswer) {
  const encoded = patch && {
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
  };
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, allowed: true, ...answer, ...encoded },
  };
}
