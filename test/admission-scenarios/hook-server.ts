import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { issueServing, makeCa } from '../../src/certificates/issue-certificate.ts';
import type { HookBehaviour, Scenario } from './scenario.ts';

/** What arrived at a webhook. */
export interface HookCall {
  readonly hook: string;
  readonly url: string;
  readonly review: { readonly apiVersion: string; readonly request: ReviewedRequest };
}

export interface ReviewedRequest {
  readonly uid: string;
  readonly [field: string]: unknown;
}

export interface HookServer {
  readonly port: number;
  /** Base64, as in webhook configurations. */
  readonly caBundle: string;
  /** Forgets all calls, and answers according to a scenario from now on. */
  play(hooks: Scenario['hooks']): void;
  /** The calls since the last time. */
  takeCalls(): readonly HookCall[];
  stop(): Promise<void>;
}

/** All webhooks of the scenarios behind one port; the path of the URL names the webhook. */
export async function startHookServer(): Promise<HookServer> {
  const now = new Date();
  const ca = makeCa({ commonName: 'scenarios', days: 1, now });
  const serving = issueServing({ ca, dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'], days: 1, now });
  let hooks: NonNullable<Scenario['hooks']> = {};
  let calls: HookCall[] = [];
  const counts = new Map<string, number>();

  const server = createServer({ cert: serving.certificate, key: serving.key }, async (incoming, outgoing) => {
    const url = incoming.url ?? '/';
    const hook = url.slice(1).replace(/\?.*/, '');
    const body = await text(incoming);
    const review = body === '' ? undefined : (JSON.parse(body) as HookCall['review']);
    if (review !== undefined) calls.push({ hook, url, review });
    const count = counts.get(hook) ?? 0;
    counts.set(hook, count + 1);
    const behaviours = [hooks[hook] ?? {}].flat();
    const behaviour = behaviours[Math.min(count, behaviours.length - 1)] ?? {};
    await answer(behaviour, review?.request.uid ?? '', review?.apiVersion ?? '', incoming, outgoing);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(ca.certificate).toString('base64'),
    play(next = {}) {
      hooks = next;
      calls = [];
      counts.clear();
    },
    takeCalls() {
      const taken = calls;
      calls = [];
      return taken;
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  behaviour: HookBehaviour,
  uid: string,
  apiVersion: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { delayMs, destroy, raw, httpStatus = 200, headers = {}, contentType } = behaviour;
  if (delayMs !== undefined) await sleep(delayMs);
  if (destroy) {
    incoming.socket.destroy();
    return;
  }
  const type = { 'content-type': contentType ?? 'application/json' };
  if (raw !== undefined) {
    const sent = typeof raw === 'string' ? raw.replaceAll('$UID', uid) : JSON.stringify(raw);
    outgoing.writeHead(httpStatus, { ...type, ...headers }).end(sent);
    return;
  }
  outgoing
    .writeHead(httpStatus, { ...type, ...headers })
    .end(JSON.stringify(reviewFor(behaviour, uid, apiVersion)));
}

function reviewFor(behaviour: HookBehaviour, uid: string, apiVersion: string): object {
  const { allowed = true, patch, patchType, status, warnings, auditAnnotations } = behaviour;
  const encoded =
    patch === undefined ? undefined : Buffer.from(typeof patch === 'string' ? patch : JSON.stringify(patch));
  const response = overridden(
    {
      uid,
      allowed,
      ...(encoded && { patch: encoded.toString('base64'), patchType: 'JSONPatch' }),
      ...(patchType !== undefined && { patchType }),
      ...(status && { status }),
      ...(warnings && { warnings }),
      ...(auditAnnotations && { auditAnnotations }),
    },
    behaviour.responseOverrides,
  );
  return overridden({ apiVersion, kind: 'AdmissionReview', response }, behaviour.reviewOverrides);
}

/** Null removes a field. */
function overridden(object: object, overrides: object = {}): object {
  return Object.fromEntries(
    Object.entries({ ...object, ...overrides }).filter(([, value]) => value !== null),
  );
}
