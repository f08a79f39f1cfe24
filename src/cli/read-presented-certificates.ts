import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { connectionErrorText } from '../chain/connection-error-text.ts';
import type { Inventory, Unchecked } from '../lint/model/inventory.ts';
import { hostOf, servingCertificates } from '../lint/model/trust.ts';

/** A server that the API server should call answers sooner. */
const TIMEOUT_MS = 5000;

export interface PresentedCertificates {
  /** By the URL of the webhook; the server's own certificate first. */
  readonly presented: ReadonlyMap<string, readonly X509Certificate[]>;
  readonly unchecked: readonly Unchecked[];
}

/** Asks the servers of webhooks with a URL for their certificates, by a TLS handshake without a request. */
export async function readPresentedCertificates(inventory: Inventory): Promise<PresentedCertificates> {
  const presented = new Map<string, readonly X509Certificate[]>();
  const unchecked: Unchecked[] = servicesWithoutCertificate(inventory);
  const urls = new Set(inventory.webhooks.flatMap(({ url }) => url ?? []));
  await Promise.all(
    [...urls].map(async (url) => {
      try {
        presented.set(url, await presentedAt(url));
      } catch (error) {
        unchecked.push({ subject: `the certificate of ${url}`, why: connectionErrorText(error) });
      }
    }),
  );
  return { presented, unchecked };
}

/** Neither a client outside the cluster nor the proxy of the API server sees the certificate of a Service. */
function servicesWithoutCertificate(inventory: Inventory): Unchecked[] {
  const names = inventory.webhooks.flatMap((webhook) => {
    const { service } = webhook;
    return service === undefined || servingCertificates(inventory, webhook).length > 0
      ? []
      : `${service.namespace}/${service.name}`;
  });
  return [...new Set(names)].map((name) => ({
    subject: `the certificate of Service "${name}"`,
    why: 'a Service can be reached from inside the cluster only, and no Secret that its Pods mount has a certificate',
  }));
}

async function presentedAt(url: string): Promise<X509Certificate[]> {
  if (!URL.canParse(url) || new URL(url).protocol !== 'https:') throw new Error('not an https URL');
  const host = hostOf(url);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const socket = connect({
    host,
    port: Number(new URL(url).port || 443),
    minVersion: 'TLSv1.2',
    // The rules decide whether it is trusted.
    rejectUnauthorized: false,
    ...(isIP(host) === 0 && { servername: host }),
  });
  try {
    await once(socket, 'secureConnect', { signal });
    return chainOf(socket.getPeerCertificate(true));
  } catch (error) {
    throw signal.aborted ? new Error(`no TLS handshake within ${TIMEOUT_MS / 1000} seconds`) : error;
  } finally {
    socket.destroy();
  }
}

function chainOf(first: DetailedPeerCertificate): X509Certificate[] {
  const chain: DetailedPeerCertificate[] = [];
  // The last one is its own issuer, or has none.
  for (let next = first; next?.raw && !chain.includes(next); next = next.issuerCertificate) chain.push(next);
  return chain.map(({ raw }) => new X509Certificate(raw));
}
