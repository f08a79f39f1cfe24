import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PodgraftError } from '../../podgraft-error.ts';
import type { Connection, Credentials, TlsSettings } from './connection.ts';
import { execCredentials } from './exec-credentials.ts';
import { fileCredentials, type Source } from './file-credentials.ts';
import {
  type ClusterSettings,
  type FileEntry,
  parseKubeconfig,
  type UserSettings,
} from './parse-kubeconfig.ts';

export interface KubeconfigOptions {
  /** One file; else those in KUBECONFIG, else ~/.kube/config. */
  readonly path?: string;
  /** Else the file's current-context. */
  readonly context?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly now?: () => number;
}

/** The API server that a kubeconfig's context names, as that context's user. */
export function kubeconfigConnection(options: KubeconfigOptions = {}): Connection {
  const { env = process.env, now = Date.now } = options;
  const paths = kubeconfigPaths(options.path, env);
  const files = paths.map((path) => parseKubeconfig(readText(path), path));
  // As kubectl merges several files: whoever says something first wins.
  const contextName = options.context ?? files.map((file) => file.currentContext).find(Boolean);
  const invalid = (message: string) =>
    new PodgraftError('KUBECONFIG_INVALID', `Cannot use kubeconfig "${paths.join(delimiter)}": ${message}`);
  if (contextName === undefined) throw invalid('it names no current-context; choose one by --context');

  function find<T>(
    what: string,
    name: string,
    entries: (file: (typeof files)[number]) => readonly FileEntry<T>[],
  ) {
    const found = files.flatMap(entries).find((entry) => entry.name === name);
    if (found === undefined) throw invalid(`it holds no ${what} "${name}"`);
    return found;
  }
  const { settings: context } = find('context', contextName, (file) => file.contexts);
  const cluster = find('cluster', context.cluster, (file) => file.clusters);
  const user = context.user ? find('user', context.user, (file) => file.users) : undefined;
  return {
    server: serverOf(cluster, invalid),
    tls: tlsOf(cluster, invalid),
    credentials: user === undefined ? fileCredentials({}) : credentialsOf(user, cluster, env, now, invalid),
    ...(context.namespace && { namespace: context.namespace }),
  };
}

function kubeconfigPaths(path: string | undefined, env: NodeJS.ProcessEnv): string[] {
  if (path !== undefined) return [path];
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length === 0) return [join(env.HOME ?? homedir(), '.kube', 'config')];
  // As kubectl does: of several files some may not be there.
  const present = listed.filter((file) => existsSync(file));
  return present.length > 0 ? present : listed;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new PodgraftError('CLUSTER_NOT_FOUND', `Cannot read kubeconfig "${path}"`, { cause });
  }
}

type Text = string | null | undefined;

type Invalid = (message: string) => PodgraftError;

function serverOf({ name, settings }: FileEntry<ClusterSettings>, invalid: Invalid): URL {
  // Going round a proxy that somebody asked for would send the credentials where they did not want them.
  if (settings['proxy-url']) throw invalid(`cluster "${name}" has a proxy-url, which is not supported`);
  if (!URL.canParse(settings.server) || !/^https?:/.test(settings.server))
    throw invalid(`cluster "${name}" has a server that is no http(s) URL`);
  return new URL(settings.server);
}

function tlsOf({ settings, resolve }: FileEntry<ClusterSettings>, invalid: Invalid): TlsSettings {
  const data = settings['certificate-authority-data'];
  const file = settings['certificate-authority'];
  const ca = data ? fromBase64(data) : file ? readAuthority(resolve(file), invalid) : undefined;
  return {
    ...(ca !== undefined && { ca }),
    ...(settings['tls-server-name'] && { serverName: settings['tls-server-name'] }),
    ...(settings['insecure-skip-tls-verify'] && { insecure: true }),
  };
}

function readAuthority(path: string, invalid: Invalid): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw invalid(`cannot read the certificate-authority "${path}"`);
  }
}

/** Ways to sign in that would be left out silently, so that we would come as somebody else. */
const UNSUPPORTED = ['username', 'auth-provider', 'as', 'as-uid', 'as-groups', 'as-user-extra'] as const;

function credentialsOf(
  { name, settings, resolve }: FileEntry<UserSettings>,
  cluster: FileEntry<ClusterSettings>,
  env: NodeJS.ProcessEnv,
  now: () => number,
  invalid: Invalid,
): Credentials {
  const unsupported = UNSUPPORTED.find((key) => settings[key] !== undefined);
  if (unsupported !== undefined) throw invalid(`user "${name}" has "${unsupported}", which is not supported`);
  const file = (path: Text): Source | undefined => (path ? { file: resolve(path) } : undefined);
  const data = (base64: Text): Source | undefined => (base64 ? { value: fromBase64(base64) } : undefined);
  const token = file(settings.tokenFile) ?? (settings.token ? { value: settings.token } : undefined);
  const cert = data(settings['client-certificate-data']) ?? file(settings['client-certificate']);
  const key = data(settings['client-key-data']) ?? file(settings['client-key']);
  // A token of the user's own goes before the plugin's, as in client-go.
  if (settings.exec !== undefined && token === undefined) {
    return execCredentials(settings.exec, { resolve, env, now, cluster: cluster.settings });
  }
  return fileCredentials({ ...(token && { token }), ...(cert && { cert }), ...(key && { key }) }, now);
}

function fromBase64(data: string): string {
  return Buffer.from(data, 'base64').toString();
}
