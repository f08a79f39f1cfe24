import {
  type ClientRequest,
  Agent as HttpAgent,
  request as httpRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { PodgraftError } from '../../podgraft-error.ts';
import type { Connection, Credential } from './connection.ts';

export interface Outgoing {
  /** For errors: `get ServiceAccount "a/b"`. */
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Path and query, as on a server without a path of its own. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
  readonly credential: Credential;
  readonly signal: AbortSignal;
}

export interface Transport {
  /** Resolves with the answer's head, whatever its status; its body is still to be read. */
  open(outgoing: Outgoing): Promise<IncomingMessage>;
  close(): void;
}

/** HTTP/1.1 with kept connections. Plain http is for `kubectl proxy` and the like. */
export function createTransport({ server, tls }: Connection): Transport {
  const secure = server.protocol === 'https:';
  // TCP's own probes find a peer that is gone without a word.
  // A burst of live reads waits its turn here, and not in the API server's queues.
  const settings = { keepAlive: true, keepAliveMsecs: 15_000, maxSockets: 128 };
  const agent = secure
    ? new HttpsAgent({
        ...settings,
        ...(tls.ca !== undefined && { ca: tls.ca }),
        ...(tls.serverName !== undefined && { servername: tls.serverName }),
        rejectUnauthorized: tls.insecure !== true,
      })
    : new HttpAgent(settings);
  const base = server.pathname.replace(/\/+$/, '');

  function call(outgoing: Outgoing): ClientRequest {
    const { method, path, body, credential, signal } = outgoing;
    // The agent tells connections apart by their client certificate, so that a new one opens a new connection.
    const { token, ...certificate } = credential;
    const headers = {
      accept: 'application/json',
      'user-agent': 'podgraft',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && {
        'content-type': outgoing.contentType ?? 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const url = new URL(`${base}${path}`, server.origin);
    return secure
      ? httpsRequest(url, { method, headers, agent, signal, ...certificate })
      : httpRequest(url, { method, headers, agent, signal });
  }

  function attempt(outgoing: Outgoing, mayRepeat: boolean): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const request = call(outgoing);
      request.on('response', resolve);
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The server may close a kept connection just when we take it up again: that says nothing about the server.
        const stale = request.reusedSocket && error.code === 'ECONNRESET' && outgoing.method === 'GET';
        if (stale && mayRepeat && !outgoing.signal.aborted) resolve(attempt(outgoing, false));
        else reject(unreachable(outgoing.what, error));
      });
      request.end(outgoing.body);
    });
  }

  return { open: (outgoing) => attempt(outgoing, true), close: () => agent.destroy() };
}

/** A connection that could not be made, or broke. Errors of the network and of TLS hold addresses and names, no secrets. */
export function unreachable(what: string, cause: unknown): PodgraftError {
  const detail = cause instanceof Error ? describe(cause) : String(cause);
  return new PodgraftError('CLUSTER_API_UNREACHABLE', `Cannot ${what}: ${detail}`, { cause });
}

/** With several addresses for one name Node throws an AggregateError that has no message of its own. */
function describe(error: Error): string {
  if (error.message !== '') return error.message;
  return error instanceof AggregateError ? error.errors.map(String).join('; ') : error.name;
}
