import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueServing, makeCa } from '../../src/certificates/issue-certificate.ts';
import type { JsonObject } from '../../src/json/json.ts';

/** The parts of a request that fixtures read. */
export interface FixtureRequest {
  readonly uid: string;
  readonly operation: string;
  readonly dryRun: boolean;
  readonly object: FixturePod | null;
}

export interface FixturePod {
  readonly metadata: JsonObject;
  readonly spec: { readonly containers: readonly (JsonObject & { readonly name: string })[] };
}

export interface FixtureAnswer {
  readonly patch?: readonly object[];
  readonly deny?: string;
  readonly delayMs?: number;
  /** Members of the response that replace others. */
  readonly response?: object;
}

export type Fixture = (request: FixtureRequest) => FixtureAnswer;

export interface FixtureServer {
  configuration(name: string, webhooks: readonly string[], settings?: object): JsonObject;
  readonly isListening: boolean;
  stop(): Promise<void>;
}

/** Thrown by a fixture, it ends the server. Anything else that is thrown is answered with 400. */
export class CrashError extends Error {}

interface FixtureReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: FixtureRequest;
}

function parse(name: string, body: string): FixtureReview {
  try {
    return JSON.parse(body) as FixtureReview;
  } catch (cause) {
    throw name === 'crashes-on-bad-json' ? new CrashError('bad JSON', { cause }) : cause;
  }
}

/** Webhooks over HTTPS, by the path of the URL. */
export async function startFixtures(fixtures: { readonly [name: string]: Fixture }): Promise<FixtureServer> {
  const now = new Date();
  const ca = makeCa({ commonName: 'fixtures', days: 1, now });
  const serving = issueServing({ ca, dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'], days: 1, now });
  const server = createServer({ cert: serving.certificate, key: serving.key }, async (incoming, outgoing) => {
    const name = new URL(incoming.url ?? '/', 'https://fixtures').pathname.slice(1);
    const body = await text(incoming).catch(() => '');
    try {
      const { apiVersion, kind, request } = parse(name, body);
      const { patch, deny, delayMs = 0, response = {} } = (fixtures[name] as Fixture)(request);
      await sleep(delayMs);
      const answer = {
        uid: request.uid,
        allowed: deny === undefined,
        ...(deny !== undefined && { status: { code: 403, message: deny } }),
        ...(patch && {
          patchType: 'JSONPatch',
          patch: Buffer.from(JSON.stringify(patch)).toString('base64'),
        }),
        ...response,
      };
      const sent = JSON.stringify({ apiVersion, kind, response: answer });
      outgoing.writeHead(200, { 'content-type': 'application/json' }).end(sent);
    } catch (error) {
      if (!(error instanceof CrashError)) {
        outgoing.writeHead(400).end('bad review');
        return;
      }
      server.close();
      server.closeAllConnections();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const caBundle = Buffer.from(ca.certificate).toString('base64');
  return {
    configuration: (name, webhooks, settings = {}) => ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name },
      webhooks: webhooks.map((each) => ({
        name: `${each}.example.com`,
        clientConfig: { url: `https://127.0.0.1:${port}/${each}`, caBundle },
        rules: [
          { operations: ['CREATE', 'UPDATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] },
        ],
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 5,
        ...settings,
      })),
    }),
    get isListening() {
      return server.listening;
    },
    async stop() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
