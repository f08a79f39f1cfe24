import type { ClusterFlags } from './cluster-flags.ts';
import type { TlsOptions } from './open-tls.ts';
import type { ConnectOptions } from './open-views.ts';

export interface ServeOptions extends TlsOptions, ConnectOptions, ClusterFlags {
  readonly config: string;
  readonly port: number;
  readonly metricsPort: number;
  readonly tlsMinVersion: '1.2' | '1.3';
  readonly clientCa?: string;
  readonly clientName: string;
  readonly workers: number;
  readonly drainDelay: number;
  readonly watchdog: number;
  readonly logLevel: string;
  /** Whether the metrics port shows the last decisions. */
  readonly page?: true;
}

/** Where metrics and health are served. */
export function metricsAddress({ metricsPort, http }: ServeOptions) {
  return { port: metricsPort, ...(http && { host: '127.0.0.1' }) };
}
