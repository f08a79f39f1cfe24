import type { JsonObject } from '../../../sdk/index.ts';
import { envOf, metadataOf, withMetadata } from '../pod-json.ts';
import { proxyOf } from './proxy-env.ts';

const ANNOTATION = 'prometheus.istio.io/secure-port';
const SPELLING = /^prometheus[\W_]istio[\W_]io[\W_]secure[\W_]port$/;
const VARIABLE = 'ENVOY_SECURE_MERGED_METRICS_PORT';

/** Announces the port for scrapes with mutual TLS, which the environment of the proxy sets. The user's annotation wins. */
export function withSecurePort(pod: JsonObject): JsonObject {
  const proxy = proxyOf(pod);
  const env = proxy === undefined ? [] : envOf(proxy);
  const port = env.find(
    ({ name, value }) => name === VARIABLE && (value ?? '') !== '' && value !== '0',
  )?.value;
  if (typeof port !== 'string') return pod;
  if (Object.keys(metadataOf(pod, 'annotations')).some((key) => SPELLING.test(key))) return pod;
  return withMetadata(pod, 'annotations', { [ANNOTATION]: port });
}
