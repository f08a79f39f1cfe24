import * as v from 'valibot';
import { ConfigError, cacheByObject, type KubeObject, parseConfig } from '../../../sdk/index.ts';

/** A Provider resource (externaldata.gatekeeper.sh). */
export interface Provider {
  readonly url: string;
  /** In PEM. */
  readonly ca: string;
  readonly timeoutMs: number;
}

const DEFAULT_TIMEOUT_SECONDS = 5;

const schema = v.object({
  url: v.pipe(
    v.string(),
    v.check(
      (url) => URL.canParse(url) && new URL(url).protocol === 'https:',
      'expected a URL that begins with https://',
    ),
  ),
  timeout: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0)), 0),
  /** Base64 of PEM. */
  caBundle: v.pipe(
    v.string(),
    v.check((text) => decodePem(text) !== undefined, 'expected the base64 of a certificate in PEM'),
  ),
});

/** The provider, or the problem with its resource. */
export const readProvider = cacheByObject((resource: KubeObject): Provider | { readonly problem: string } => {
  const { spec = {} } = resource as { readonly spec?: unknown };
  try {
    const { url, timeout, caBundle } = parseConfig(schema, spec);
    const timeoutMs = 1000 * (timeout === 0 ? DEFAULT_TIMEOUT_SECONDS : timeout);
    return { url, ca: decodePem(caBundle) as string, timeoutMs };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const text = error.issues.map(({ path, message }) => `spec.${path.join('.')}: ${message}`).join('; ');
    return { problem: `Provider "${resource.metadata.name}" is invalid: ${text}` };
  }
});

function decodePem(base64: string): string | undefined {
  try {
    const text = atob(base64);
    return text.includes('-----BEGIN CERTIFICATE-----') ? text : undefined;
  } catch {
    return undefined;
  }
}
