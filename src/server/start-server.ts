import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import { type AddressInfo, Server as NetServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecureVersion } from 'node:tls';
import type { FinalCheck } from '../admission/answer.ts';
import type { ObjectRef } from '../kube/resource.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { ClusterView } from '../sdk/cluster-view.ts';
import type { FileView } from '../sdk/file-view.ts';
import { createHandler } from './handler.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { expiryOf, type KeyPair, type TlsSource } from './tls-source.ts';

export interface ServerOptions {
  readonly pipeline: Pipeline;
  readonly cluster: ClusterView;
  readonly files?: FileView;
  readonly gather?: (needs: readonly ObjectRef[], milliseconds: number) => Promise<void>;
  readonly finalCheck?: FinalCheck;
  /** Without it the server speaks plain HTTP, and then only to this machine. */
  readonly tls?: TlsSource;
  readonly tlsMinVersion?: SecureVersion;
  /** Certificates of those who may call, and the name that the caller must have. */
  readonly clientCa?: { readonly pem: string; readonly commonName: string };
  readonly port: number;
  readonly host?: string;
  readonly limits?: Partial<Limits>;
  readonly metrics: Metrics;
  readonly log: Log;
  /** What else has to be there before the server is ready. */
  readonly notReady?: () => readonly string[];
  /** What is wrong without keeping us from answering. */
  readonly problems?: () => readonly string[];
}

export interface RunningServer {
  readonly port: number;
  readonly notReady: () => readonly string[];
  /**
   * Readiness fails at once; after `delay` milliseconds, in which balancers may notice, no connection is accepted any
   * more; what is under way is finished, then all connections are closed.
   */
  drain(delay?: number): Promise<void>;
}

/** Starts the admission server; resolves when it listens. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  let draining = false;
  const notReady = () => (draining ? ['shutting down'] : (options.notReady?.() ?? []));
  const { pipeline, cluster, files, gather, finalCheck = 'deny', metrics, log, clientCa } = options;
  const handle = createHandler({
    pipeline,
    cluster,
    ...(files && { files }),
    ...(gather && { gather }),
    ...(clientCa && { clientName: clientCa.commonName }),
    finalCheck,
    limits,
    metrics,
    log,
    notReady,
    ...(options.problems && { problems: options.problems }),
    draining: () => draining,
  });

  const server = createServer(options, limits);
  server.headersTimeout = limits.headersMs;
  server.requestTimeout = limits.requestMs;
  server.keepAliveTimeout = limits.keepAliveMs;
  server.on('request', handle);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const timedOut = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    metrics.rejected(timedOut ? 'timeout' : 'bad_http');
    const status = timedOut ? '408 Request Timeout' : '400 Bad Request';
    if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    else socket.destroy();
  });
  const stopTls = followTls(server, options);
  const port = await listen(server, options);

  return {
    port,
    notReady,
    async drain(delay = 0) {
      draining = true;
      if (delay > 0) await sleep(delay);
      stopTls();
      // http.Server.close would end idle connections at once, and with them requests that are on their way.
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
  // Node looks for slow clients only this often.
  const connectionsCheckingInterval = 1000;
  if (options.tls === undefined) return createHttpServer({ connectionsCheckingInterval });
  return createHttpsServer({
    connectionsCheckingInterval,
    ...options.tls.initial,
    minVersion: options.tlsMinVersion ?? 'TLSv1.3',
    handshakeTimeout: limits.headersMs,
    // Probes come without a certificate: who may ask for a review is decided by path.
    ...(options.clientCa && { ca: options.clientCa.pem, requestCert: true, rejectUnauthorized: false }),
  });
}

/** New connections get the new pair; those that are open keep theirs. */
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
