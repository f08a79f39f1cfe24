import { callOverHttps, caOf } from '../chain/call-over-https.ts';
import { sendOverHttps } from '../chain/send-over-https.ts';
import { type Webhook, webhookUrl } from '../chain/webhook.ts';
import { isJsonObject } from '../json/json.ts';
import type { WebhookServer } from './subject.ts';

export interface DirectOptions {
  /** Replaces the address in the configuration; without a path, the configuration's path is kept. */
  readonly url?: string;
  /** Do not verify the certificate. */
  readonly insecure?: boolean;
}

/** A server that is called over HTTPS. Its certificate must be the one that the API server expects, even if the address is another. */
export function directServer(webhook: Webhook, { url, insecure = false }: DirectOptions = {}): WebhookServer {
  const own = webhookUrl(webhook);
  const address = url === undefined ? own : withPath(url, new URL(own).pathname);
  const { service } = webhook.clientConfig;
  const isService = isJsonObject(service);
  const trust = {
    ...(insecure && { insecure }),
    ...(isService && { serverName: `${String(service.name)}.${String(service.namespace)}.svc` }),
  };
  const called = (timeoutMs: number) => ({
    configuration: webhook.configuration,
    name: webhook.name,
    clientConfig: webhook.clientConfig,
    url: `${address}?timeout=${Math.ceil(timeoutMs / 1000)}s`,
  });
  return {
    address,
    call: (review, timeoutMs) => callOverHttps(called(timeoutMs), review, timeoutMs, trust),
    send(body, contentType, timeoutMs) {
      const target = called(timeoutMs);
      const ca = caOf(target);
      const signal = AbortSignal.timeout(timeoutMs);
      const all = { ...trust, ...(ca !== undefined && { ca }) };
      return sendOverHttps(target.url, { method: 'POST', body, contentType }, all, signal);
    },
  };
}

function withPath(url: string, path: string): string {
  const { origin, pathname } = new URL(url);
  return origin + (pathname === '/' ? path : pathname);
}
