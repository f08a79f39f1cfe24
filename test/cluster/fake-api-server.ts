import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connection, Credentials } from '../../src/cluster/client/connection.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (call: Call, response: ServerResponse) => void;

export interface FakeApiServer {
  readonly url: string;
  /** All calls so far, oldest first. */
  readonly calls: readonly Call[];
  handle: Handler;
  connection(credentials?: Credentials): Connection;
  /** Closes every open connection; new ones are accepted. */
  cut(): void;
  stop(): Promise<void>;
}

/** Answers as the test programs it, so that rare behaviour of a real API server can be tested. */
export async function startFakeApiServer(handle: Handler): Promise<FakeApiServer> {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const call = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    calls.push(call);
    fake.handle(call, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const fake: FakeApiServer = {
    url,
    calls,
    handle,
    connection: (credentials = anonymous) => ({ server: new URL(url), tls: {}, credentials }),
    cut: () => server.closeAllConnections(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return fake;
}

const anonymous: Credentials = { current: async () => ({}), refused: () => {} };

export function answer(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

export function refuse(response: ServerResponse, code: number, reason: string, message = ''): void {
  answer(response, statusOf(code, reason, message), code);
}

export function statusOf(code: number, reason: string, message = ''): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code };
}

/** One line of a watch response. */
export function event(type: string, object: object): string {
  return `${JSON.stringify({ type, object })}\n`;
}
