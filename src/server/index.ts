/** The entry point `podgraft/server`: the admission server as a library. */
export { createPipeline } from '../pipeline/pipeline.ts';
export { DEFAULT_LIMITS, type Limits } from './limits/limits.ts';
export { createLog, type Log } from './log.ts';
export { createMetrics, type Metrics } from './metrics/metrics.ts';
export { type MetricsOptions, startMetrics } from './metrics/start-metrics.ts';
export { type RunningServer, type ServerOptions, startServer } from './start-server.ts';
export { fixedTls, type KeyPair, type TlsSource, tlsFromFolder } from './tls-source.ts';
