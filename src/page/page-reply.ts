import type { IncomingHttpHeaders } from 'node:http';

/** A reply of the page's HTTP. */
export interface PageReply {
  readonly status: number;
  readonly contentType: string;
  readonly body: string | Uint8Array;
  readonly headers?: { readonly [name: string]: string };
}

export function jsonReply(value: unknown, status = 200): PageReply {
  return { status, contentType: 'application/json', body: JSON.stringify(value) };
}

export function textReply(status: number, text: string): PageReply {
  return { status, contentType: 'text/plain; charset=utf-8', body: `${text}\n` };
}

/** Headers of every reply: nothing is stored, embedded, guessed or fetched from elsewhere. */
export function pageHeaders(): { readonly [name: string]: string } {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy.join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
  };
}

/**
 * Why a request does not come from this computer's own page. A foreign name that resolves to loopback (DNS rebinding)
 * is same-origin to a browser; only its Host header gives it away.
 */
export function foreignRequest({ host, origin, ...headers }: IncomingHttpHeaders): string | undefined {
  if (host === undefined || !isLoopback(host)) return `Host "${host ?? ''}" is not this computer`;
  if (origin !== undefined && origin !== `http://${host}`) return `Origin "${origin}" is another site`;
  const site = headers['sec-fetch-site'];
  return site === 'cross-site' || site === 'same-site' ? 'the request comes from another site' : undefined;
}

function isLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, '').toLowerCase();
  return name === 'localhost' || name.endsWith('.localhost') || name === '127.0.0.1' || name === '[::1]';
}
