import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Health, healthReply } from '../health.ts';
import { pathOf, sendText, type TextReply } from '../http-replies.ts';
import { limitConnections } from '../limits/limit-connections.ts';
import { DEFAULT_LIMITS } from '../limits/limits.ts';
import type { PagePort } from '../page-port.ts';

export interface MetricsOptions extends MonitoringOptions {
  readonly port: number;
  readonly host?: string;
  readonly page?: PagePort;
}

export interface MonitoringOptions extends Health {
  readonly contentType: string;
  readonly metrics: () => Promise<string>;
}

export interface MonitoringPort {
  readonly port: number;
  close(): void;
}

/** Answers a path of the metrics port. */
export type AnswerMonitoring = (method: string | undefined, path: string) => Promise<TextReply>;

/** Metrics and health in plain HTTP on a separate port, which answers no reviews. */
export function startMetrics({ port, host, page, ...options }: MetricsOptions): Promise<MonitoringPort> {
  return listenForMonitoring(port, host, answerMonitoring(options), page);
}

export function answerMonitoring(options: MonitoringOptions): AnswerMonitoring {
  return async (method, path) => {
    const health = healthReply(method, path, options);
    if (health !== undefined) return health;
    if (path !== '/metrics') return { status: 404, text: `no such path: ${path}` };
    return options.metrics().then(
      (text) => ({ status: 200, text: text.trimEnd(), contentType: options.contentType }),
      () => ({ status: 500, text: 'metrics unavailable' }),
    );
  };
}

export function listenForMonitoring(
  port: number,
  host: string | undefined,
  answer: AnswerMonitoring,
  page?: PagePort,
): Promise<MonitoringPort> {
  const server = createServer((request, response) => {
    const path = pathOf(request);
    if (page?.has(path) === true) return page.handle(request, response, path);
    void answer(request.method, path).then(({ status, text, contentType }) =>
      sendText(response, status, text, contentType),
    );
  });
  server.headersTimeout = DEFAULT_LIMITS.headersMs;
  server.requestTimeout = DEFAULT_LIMITS.headersMs;
  server.timeout = DEFAULT_LIMITS.stalledMs;
  limitConnections(server, DEFAULT_LIMITS.metricsConnections, () => {});
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      resolve({ port: (server.address() as AddressInfo).port, close: () => server.close() });
    });
  });
}
