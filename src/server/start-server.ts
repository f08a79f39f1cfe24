import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { setDefaultHighWaterMark } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureVersion } from 'node:tls';
import { createHandler } from './handler.ts';
import { BUFFERED_BYTES } from './http-replies.ts';
import { createFairShare } from './limits/fair-share.ts';
import { limitConnections } from './limits/limit-connections.ts';
import { DEFAULT_LIMITS, type Limits } from './limits/limits.ts';
import { createReviewLimiter } from './limits/review-limiter.ts';
import type { Log } from './log.ts';
import type { MakeCalls } from './make-calls.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { RecordDecision } from './metrics/record-decisions.ts';
import type { Setup } from './setup.ts';
import { expiryOf, type KeyPair, type TlsSource } from './tls-source.ts';
import type { Progress } from './watchdog/progress.ts';

export interface ServerOptions extends Setup {
  /** Makes the calls that injectors wait for; without it they fail. */
  readonly call?: MakeCalls;
  /** Without it the server uses plain HTTP on the loopback address. */
  readonly tls?: TlsSource;
  readonly tlsMinVersion?: SecureVersion;
  /** Authorities for client certificates, and the common name that callers must have. */
  readonly clientCa?: { readonly pem: string; readonly commonName: string };
  readonly port: number;
  readonly host?: string;
  readonly limits?: Partial<Limits>;
  readonly metrics: Metrics;
  readonly log: Log;
  /** Why dependencies of the server are not ready; empty if they are. */
  readonly notReady?: () => readonly string[];
  /** Problems that do not prevent it from answering. */
  readonly problems?: () => readonly string[];
  /** Where the watchdog sees the work under way; absent without one. */
  readonly progress?: Progress;
  /** Keeps decisions for the page; absent without one. */
  readonly record?: RecordDecision;
}

export interface RunningServer {
  readonly port: number;
  readonly notReady: () => readonly string[];
  /** Reviews under way. */
  readonly inFlight: () => number;
  /** Answers all reviews that are decided from now on by another configuration. */
  use(setup: Setup): void;
  /**
   * Fails readiness at once. After `delay` milliseconds, in which load balancers notice, it stops accepting connections,
   * finishes the requests under way and closes all connections.
   */
  drain(delay?: number): Promise<void>;
}

/** Starts the admission server; resolves when it listens. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  let draining = false;
  const limiter = createReviewLimiter(limits.concurrentReviews);
  const bodies = createFairShare(limits.bodiesBytes);
  options.metrics.watchInFlight(() => bodies.count);
  const notReady = () => (draining ? ['shutting down'] : (options.notReady?.() ?? []));
  let setup: Setup = options;
  const { call, metrics, log, clientCa } = options;
  const server = createServer(options, limits);
  const connections = limitConnections(server, limits.connections, () => metrics.rejected('overloaded'));
  const handle = createHandler({
    setup: () => setup,
    ...(call && { call }),
    ...(clientCa && { clientName: clientCa.commonName }),
    limits,
    limiter,
    bodies,
    connections,
    metrics,
    log,
    notReady,
    ...(options.problems && { problems: options.problems }),
    ...(options.progress && { progress: options.progress }),
    ...(options.record && { record: options.record }),
    draining: () => draining,
  });

  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;
  server.timeout = limits.stalledMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  server.on('request', handle);
  endOnErrors(server, metrics);
  const stopTls = followTls(server, options);
  const port = await listen(server, options);

  return {
    port,
    notReady,
    inFlight: () => bodies.count,
    use(next) {
      setup = next;
    },
    async drain(delay = 0) {
      draining = true;
      if (delay > 0) await sleep(delay);
      stopTls();
      // http.Server.close would close idle connections at once, and lose requests that are on their way.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      const idle = setInterval(() => server.closeIdleConnections(), limits.drainIdleMs);
      const all = setTimeout(() => server.closeAllConnections(), limits.drainMs);
      await closed;
      clearInterval(idle);
      clearTimeout(all);
    },
  };
}

function createServer(options: ServerOptions, limits: Limits): HttpServer | HttpsServer {
  // The only way to set it for the connections of an HTTPS server. It is Node's default since version 22.
  setDefaultHighWaterMark(false, BUFFERED_BYTES);
  // How often Node looks for slow clients.
  const connectionsCheckingInterval = 1000;
  if (options.tls === undefined) return createHttpServer({ connectionsCheckingInterval });
  return createHttpsServer({
    connectionsCheckingInterval,
    ...options.tls.initial,
    minVersion: options.tlsMinVersion ?? 'TLSv1.3',
    handshakeTimeout: limits.headersMs,
    // Probes have no certificate, so the handler checks it, by path.
    ...(options.clientCa && { ca: options.clientCa.pem, requestCert: true, rejectUnauthorized: false }),
  });
}

/** Every error ends the connection, even if the client does not close its side. */
function endOnErrors(server: HttpServer | HttpsServer, metrics: Metrics): void {
  server.on('clientError', (error: NodeJS.ErrnoException, stream) => {
    const timedOut = TIMEOUTS.has(error.code);
    metrics.rejected(timedOut ? 'timeout' : 'bad_http');
    const status = timedOut ? '408 Request Timeout' : '400 Bad Request';
    if (stream.writable) stream.write(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    (stream as Socket).destroySoon();
  });
  // Nothing can be written before the handshake is over, so waiting for it to be sent would keep the connection forever.
  server.on('tlsClientError', (_, socket) => socket.destroy());
}

const TIMEOUTS = new Set<string | undefined>(['ERR_HTTP_REQUEST_TIMEOUT', 'ERR_TLS_HANDSHAKE_TIMEOUT']);

/** New connections get the new certificate; open ones keep theirs. */
function followTls(
  server: HttpServer | HttpsServer,
  { tls, tlsMinVersion, clientCa, metrics, log }: ServerOptions,
): () => void {
  if (tls === undefined) return () => {};
  const expose = (pair: KeyPair) => {
    metrics.certificateExpires('serving', expiryOf(pair));
    if (tls.caExpires) metrics.certificateExpires('ca', tls.caExpires());
  };
  expose(tls.initial);
  return tls.onChange(
    (pair) => {
      (server as HttpsServer).setSecureContext({
        ...pair,
        minVersion: tlsMinVersion ?? 'TLSv1.3',
        ...(clientCa && { ca: clientCa.pem }),
      });
      expose(pair);
      log.info({ expires: expiryOf(pair).toISOString() }, 'certificate reloaded');
    },
    (error) => log.error({ error: error.message }, 'certificate not reloaded, the old one stays in use'),
  );
}

function listen(server: HttpServer | HttpsServer, { port, host, tls }: ServerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host ?? (tls ? undefined : '127.0.0.1'), () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
