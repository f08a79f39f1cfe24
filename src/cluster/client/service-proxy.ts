import { text } from 'node:stream/consumers';
import type { Connection } from './connection.ts';
import { startDeadline } from './deadline.ts';
import { createTransport } from './transport.ts';

/** An HTTPS port of a Service. */
export interface ServiceAddress {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly path: string;
}

export interface ProxiedAnswer {
  readonly status: number;
  readonly body: string;
  readonly contentType?: string;
}

/** Reaches Services from outside the cluster through the API server, which needs `create` on `services/proxy`. */
export function createServiceProxy(connection: Connection) {
  const transport = createTransport(connection);
  return {
    /** The answer of the Service, or of the API server if it cannot reach it. */
    async post(
      { namespace, name, port, path }: ServiceAddress,
      { body, contentType, timeoutMs }: { body: string; contentType: string; timeoutMs: number },
    ): Promise<ProxiedAnswer> {
      const what = `call Service "${namespace}/${name}"`;
      const place = `/api/v1/namespaces/${namespace}/services/https:${name}:${port}/proxy${path}`;
      const deadline = startDeadline(what, timeoutMs);
      try {
        const request = { what, method: 'POST', path: place, body, contentType } as const;
        const response = await transport.open(request, deadline);
        const { 'content-type': type } = response.headers;
        return {
          status: response.statusCode ?? 0,
          body: await deadline.race(text(response)),
          ...(type !== undefined && { contentType: type }),
        };
      } catch (error) {
        throw deadline.explain(error);
      } finally {
        deadline.release();
      }
    },
    close: () => transport.close(),
  };
}

export type ServiceProxy = ReturnType<typeof createServiceProxy>;
