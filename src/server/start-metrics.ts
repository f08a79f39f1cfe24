import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pathOf } from './handler.ts';
import { answerHealth, type Health, send } from './plain-answers.ts';

export interface MetricsOptions extends Health {
  readonly port: number;
  readonly host?: string;
  readonly contentType: string;
  readonly metrics: () => Promise<string>;
}

/** Metrics and health in plain HTTP on a port of their own, so that nobody who scrapes can ask for reviews. */
export function startMetrics(options: MetricsOptions): Promise<{ readonly port: number; close(): void }> {
  const server = createServer((request, response) => {
    const path = pathOf(request);
    if (path === '/healthz' || path === '/readyz') return answerHealth(request, response, path, options);
    if (path !== '/metrics') return send(response, 404, `no such path: ${path}`);
    options.metrics().then(
      (text) => {
        response.writeHead(200, { 'Content-Type': options.contentType });
        response.end(text);
      },
      () => send(response, 500, 'metrics are not to be had'),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, () => {
      resolve({ port: (server.address() as AddressInfo).port, close: () => server.close() });
    });
  });
}
