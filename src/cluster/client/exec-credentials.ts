import { execFile } from 'node:child_process';
import * as v from 'valibot';
import type { Json } from '../../json/json.ts';
import { tryParseJson } from '../../json/try-parse-json.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import type { Credential, Credentials } from './connection.ts';
import type { ClusterSettings, ExecSettings } from './read-kubeconfig.ts';

export interface ExecOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly cluster: ClusterSettings;
}

/** Credentials from a plugin (client.authentication.k8s.io), each kept until it expires or is refused. */
export function execCredentials(settings: ExecSettings, options: ExecOptions): Credentials {
  let known: Granted | undefined;
  let running: Promise<Granted> | undefined;
  return {
    async current() {
      if (known !== undefined && options.now() < known.expiresAt) return known.credential;
      // Many calls may find it expired at the same time: the plugin runs once for all of them.
      running ??= runPlugin(settings, options).finally(() => {
        running = undefined;
      });
      known = await running;
      return known.credential;
    },
    refused(credential) {
      if (known?.credential === credential) known = undefined;
    },
  };
}

interface Granted {
  readonly credential: Credential;
  readonly expiresAt: number;
}

const TIMEOUT_MS = 30_000;

async function runPlugin(settings: ExecSettings, options: ExecOptions): Promise<Granted> {
  const { command, args } = settings;
  const env = {
    ...options.env,
    ...Object.fromEntries((settings.env ?? []).map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(execInfo(settings, options.cluster)),
  };
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(command, args ?? [], { timeout: TIMEOUT_MS, env }, (error, stdout) =>
      error === null ? resolve(stdout) : reject(unusable(settings, whyFailed(settings, error))),
    );
    child.stdin?.end();
  });
  return grantedBy(output, settings);
}

const INFO = ['server', 'tls-server-name', 'certificate-authority-data', 'insecure-skip-tls-verify'] as const;

function execInfo({ apiVersion, provideClusterInfo }: ExecSettings, settings: ClusterSettings): Json {
  const given = INFO.flatMap((key) => (settings[key] ? [[key, settings[key]] as const] : []));
  const cluster = provideClusterInfo && { cluster: Object.fromEntries(given) };
  return { apiVersion, kind: 'ExecCredential', spec: { interactive: false, ...cluster } };
}

function grantedBy(output: string, settings: ExecSettings): Granted {
  const result = v.safeParse(
    v.object({
      apiVersion: v.literal(settings.apiVersion),
      kind: v.literal('ExecCredential'),
      status: v.object({
        token: v.optional(v.string()),
        clientCertificateData: v.optional(v.string()),
        clientKeyData: v.optional(v.string()),
        expirationTimestamp: v.optional(v.pipe(v.string(), v.transform(Date.parse), v.number())),
      }),
    }),
    tryParseJson(output),
  );
  if (!result.success)
    throw unusable(settings, `its output is not a valid ExecCredential of ${settings.apiVersion}`);
  const { token, clientCertificateData: cert, clientKeyData: key, ...status } = result.output.status;
  if (!token && !(cert && key))
    throw unusable(settings, 'its output has neither a token nor a certificate with key');
  return {
    credential: { ...(token && { token }), ...(cert && key && { cert, key }) },
    expiresAt: status.expirationTimestamp ?? Number.POSITIVE_INFINITY,
  };
}

/** Without the plugin's output and arguments, and without Node's error, which contains both: they may be secrets. */
function whyFailed(
  { installHint }: ExecSettings,
  error: Error & { code?: unknown; killed?: boolean },
): string {
  if (error.killed) return 'it did not end in time';
  if (error.code !== 'ENOENT') return `it failed (${String(error.code)}); run it by hand to see why`;
  return `the program was not found${installHint ? `. ${installHint.trim()}` : ''}`;
}

function unusable({ command }: ExecSettings, message: string): PodgraftError {
  return new PodgraftError(
    'CLUSTER_CREDENTIALS_UNAVAILABLE',
    `Cannot get a credential from "${command}": ${message}`,
  );
}
