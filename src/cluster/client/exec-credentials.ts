import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import * as v from 'valibot';
import type { Json } from '../../json/json.ts';
import { PodgraftError } from '../../podgraft-error.ts';
import type { Credential, Credentials } from './connection.ts';
import { parseJson } from './parse-json.ts';
import type { ClusterSettings, ExecSettings } from './parse-kubeconfig.ts';

export interface ExecOptions {
  resolve(path: string): string;
  readonly env: NodeJS.ProcessEnv;
  readonly now: () => number;
  readonly cluster: ClusterSettings;
  readonly timeoutMs?: number;
}

/** A credential from a program (client.authentication.k8s.io), kept until it expires or is refused. */
export function execCredentials(settings: ExecSettings, options: ExecOptions): Credentials {
  let known: Granted | undefined;
  let running: Promise<Granted> | undefined;
  return {
    async current() {
      if (known !== undefined && options.now() < known.expiresAt) return known.credential;
      // Many calls may find it expired at once: the program runs once for all of them.
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
  const { command, args, env } = settings;
  // As in client-go: a path is relative to the kubeconfig, a bare name is looked up in PATH.
  const program = command === basename(command) ? command : options.resolve(command);
  const output = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      program,
      args ?? [],
      {
        timeout: options.timeoutMs ?? TIMEOUT_MS,
        env: {
          ...options.env,
          ...Object.fromEntries((env ?? []).map(({ name, value }) => [name, value])),
          KUBERNETES_EXEC_INFO: JSON.stringify(execInfo(settings, options.cluster)),
        },
      },
      (error, stdout) => (error === null ? resolve(stdout) : reject(failed(settings, error))),
    );
    child.stdin?.end();
  });
  return grantedBy(output, settings);
}

function execInfo({ apiVersion, provideClusterInfo }: ExecSettings, cluster: ClusterSettings): Json {
  const info = {
    server: cluster.server,
    ...(cluster['tls-server-name'] && { 'tls-server-name': cluster['tls-server-name'] }),
    ...(cluster['certificate-authority-data'] && {
      'certificate-authority-data': cluster['certificate-authority-data'],
    }),
    ...(cluster['insecure-skip-tls-verify'] && { 'insecure-skip-tls-verify': true }),
  };
  return {
    apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(provideClusterInfo && { cluster: info }) },
  };
}

const outputSchema = v.object({
  apiVersion: v.string(),
  kind: v.literal('ExecCredential'),
  status: v.object({
    token: v.optional(v.string()),
    clientCertificateData: v.optional(v.string()),
    clientKeyData: v.optional(v.string()),
    expirationTimestamp: v.optional(v.string()),
  }),
});

function grantedBy(output: string, settings: ExecSettings): Granted {
  const result = v.safeParse(outputSchema, parseJson(output));
  if (!result.success) throw unusable(settings, 'it printed no ExecCredential with a status');
  const { apiVersion, status } = result.output;
  if (apiVersion !== settings.apiVersion)
    throw unusable(settings, `it speaks another version than ${settings.apiVersion}`);
  const { token, clientCertificateData: cert, clientKeyData: key, expirationTimestamp } = status;
  if (!token && !(cert && key))
    throw unusable(settings, 'it gave neither a token nor a certificate and its key');
  const expiresAt =
    expirationTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTimestamp);
  if (Number.isNaN(expiresAt)) throw unusable(settings, 'its expirationTimestamp is no date');
  return { credential: { ...(token && { token }), ...(cert && key && { cert, key }) }, expiresAt };
}

/** Neither its output nor its arguments are told, nor Node's error, which holds both: they may be secrets. */
function failed(settings: ExecSettings, error: Error & { code?: unknown; killed?: boolean }): PodgraftError {
  if (error.killed) return unusable(settings, 'it did not end in time');
  if (error.code !== 'ENOENT')
    return unusable(settings, `it failed (${String(error.code)}); run it by hand to see why`);
  return unusable(
    settings,
    `there is no such program${settings.installHint ? `. ${settings.installHint.trim()}` : ''}`,
  );
}

function unusable({ command }: ExecSettings, message: string): PodgraftError {
  const text = `Cannot get a credential from "${command}": ${message}`;
  return new PodgraftError('CLUSTER_CREDENTIALS_UNAVAILABLE', text);
}
