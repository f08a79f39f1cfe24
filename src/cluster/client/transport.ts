import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { PodgraftError } from '../../podgraft-error.ts';
import type { Connection, Credential } from './connection.ts';
import type { Deadline } from './deadline.ts';

export interface ApiRequest {
  /** For errors: `get ServiceAccount "a/b"`. */
  readonly what: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Path and query, below the path of the server's URL. */
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

/** HTTP/1.1 with kept connections. Plain HTTP is for `kubectl proxy` and the like. */
export function createTransport({ server, tls, credentials }: Connection) {
  const secure = server.protocol === 'https:';
  // TCP keep-alive probes find a peer that has vanished. A burst of live reads queues here, not in the API server.
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

  function send(
    request: ApiRequest,
    credential: Credential,
    signal: AbortSignal,
    mayRepeat = request.method === 'GET',
  ): Promise<IncomingMessage> {
    const { what, method, path, body, contentType = 'application/json' } = request;
    // The agent keeps connections by client certificate, so a new one opens a new connection.
    const { token, ...certificate } = credential;
    const headers = {
      accept: 'application/json',
      'user-agent': 'podgraft',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }),
    };
    const url = new URL(`${base}${path}`, server.origin);
    const options = { method, headers, agent, signal };
    return new Promise((resolve, reject) => {
      const sent = secure ? httpsRequest(url, { ...options, ...certificate }) : httpRequest(url, options);
      sent.on('response', resolve);
      sent.on('error', (error: NodeJS.ErrnoException) => {
        // The server may close a kept connection just as it is reused, regardless of the request.
        const isStale = sent.reusedSocket && error.code === 'ECONNRESET';
        if (isStale && mayRepeat && !signal.aborted) resolve(send(request, credential, signal, false));
        else reject(unreachable(what, error));
      });
      sent.end(body);
    });
  }

  return {
    /** Resolves with the head of the response, for any status; the body is not read yet. */
    async open(request: ApiRequest, deadline: Deadline): Promise<IncomingMessage> {
      const { signal } = deadline;
      const credential = await deadline.race(credentials.current());
      const response = await send(request, credential, signal);
      if (response.statusCode !== 401) return response;
      credentials.refused(credential);
      const renewed = await deadline.race(credentials.current()).catch((error: unknown) => {
        response.destroy();
        throw error;
      });
      if (renewed.token === credential.token && renewed.cert === credential.cert) return response;
      response.resume();
      return send(request, renewed, signal);
    },
    close: () => agent.destroy(),
  };
}

/** A connection that failed or broke. Network and TLS errors contain addresses and names, but no secrets. */
export function unreachable(what: string, cause: unknown): PodgraftError {
  const detail = cause instanceof Error ? describe(cause) : String(cause);
  return new PodgraftError('CLUSTER_API_UNREACHABLE', `Cannot ${what}: ${detail}`, { cause });
}

/** If a name has several addresses, Node throws an AggregateError without a message. */
function describe(error: Error): string {
  if (error.message !== '') return error.message;
  return error instanceof AggregateError ? error.errors.map(String).join('; ') : error.name;
}
