import { type Webhook, webhookUrl } from '../chain/webhook.ts';
import type { ProxiedAnswer, ServiceProxy } from '../cluster/client/service-proxy.ts';
import { isJsonObject } from '../json/json.ts';
import { tryParseJson } from '../json/try-parse-json.ts';
import { PodgraftError } from '../podgraft-error.ts';
import type { WebhookServer } from '../verify/subject.ts';

/** The server of a webhook in a cluster, through the API server's proxy for Services. */
export function proxiedServer(webhook: Webhook, proxy: ServiceProxy): WebhookServer {
  const { service } = webhook.clientConfig;
  const { namespace, name, port } = isJsonObject(service) ? service : {};
  const address = {
    namespace: String(namespace),
    name: String(name),
    port: typeof port === 'number' ? port : 443,
    path: new URL(webhookUrl(webhook)).pathname,
  };
  const send = async (body: string, contentType: string, timeoutMs: number) => {
    const path = `${address.path}?timeout=${Math.ceil(timeoutMs / 1000)}s`;
    const started = performance.now();
    const answer = await proxy
      .post({ ...address, path }, { body, contentType, timeoutMs })
      .catch((error: unknown) => {
        const isLate = performance.now() - started >= timeoutMs;
        throw isLate ? new Error('context deadline exceeded', { cause: error }) : error;
      });
    throwIfUnreachable(answer, webhook.name);
    return answer;
  };
  return {
    address: `Service ${address.namespace}/${address.name}:${address.port}`,
    call: (review, timeoutMs) => send(`${JSON.stringify(review)}\n`, 'application/json', timeoutMs),
    send,
  };
}

/** A Status with one of these reasons comes from the API server, not from the webhook. */
const REASONS = ['Forbidden', 'Unauthorized', 'NotFound', 'ServiceUnavailable'];

function throwIfUnreachable({ status, body }: ProxiedAnswer, webhook: string): void {
  const parsed = status >= 400 ? tryParseJson(body) : undefined;
  if (!isJsonObject(parsed) || parsed.kind !== 'Status' || !REASONS.includes(String(parsed.reason))) return;
  throw new PodgraftError(
    'CLUSTER_API_REFUSED',
    `Cannot reach webhook "${webhook}" through the API server: ${String(parsed.message)}. Start \`kubectl port-forward\` to its Service and pass --url ${webhook}=https://localhost:PORT`,
  );
}
