import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { PodgraftError } from '../../podgraft-error.ts';
import type { Connection, Credentials, TlsSettings } from './connection.ts';
import { execCredentials } from './exec-credentials.ts';
import { fileCredentials, type Source } from './file-credentials.ts';
import { type ClusterSettings, readKubeconfig, type UserSettings } from './read-kubeconfig.ts';

export interface KubeconfigOptions {
  /** One file; by default those in KUBECONFIG, else ~/.kube/config. */
  readonly path?: string;
  /** By default the current-context. */
  readonly context?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly now?: () => number;
}

/** The API server of a kubeconfig's context, as the user of that context. */
export function kubeconfigConnection(options: KubeconfigOptions = {}): Connection {
  const { env = process.env, now = Date.now } = options;
  const paths = kubeconfigPaths(options.path, env);
  const invalid = (message: string) =>
    new PodgraftError('KUBECONFIG_INVALID', `Cannot use kubeconfig "${paths.join(delimiter)}": ${message}`);
  /** If several files have an entry of this name, the first wins, as with kubectl. */
  const find = <T extends { readonly name: string }>(kind: string, entries: readonly T[], name: string) => {
    const found = entries.find((entry) => entry.name === name);
    if (found === undefined) throw invalid(`unknown ${kind} "${name}"`);
    return found;
  };

  const files = paths.map(readKubeconfig);
  const contextName = options.context ?? files.map((file) => file['current-context']).find(Boolean);
  if (!contextName) throw invalid('no current-context; choose one with --context');
  const contexts = files.flatMap((file) => file.contexts ?? []);
  const { context } = find('context', contexts, contextName);
  const clusters = files.flatMap((file) => file.clusters ?? []);
  const { cluster } = find('cluster', clusters, context.cluster);
  const users = files.flatMap((file) => file.users ?? []);
  const user: UserSettings = context.user ? find('user', users, context.user).user : {};

  // Bypassing the proxy would send the credentials over a route that the user did not choose.
  if (cluster['proxy-url'])
    throw invalid(`cluster "${context.cluster}" has a proxy-url, which is not supported`);
  if (!URL.canParse(cluster.server) || !/^https?:/.test(cluster.server)) {
    throw invalid(`the server of cluster "${context.cluster}" is not an http(s) URL`);
  }
  const unsupported = UNSUPPORTED.find((key) => user[key] !== undefined);
  if (unsupported !== undefined) {
    throw invalid(`user "${context.user}" has "${unsupported}", which is not supported`);
  }
  return {
    server: new URL(cluster.server),
    tls: tlsOf(cluster, invalid),
    credentials: credentialsOf(user, cluster, env, now),
    ...(context.namespace && { namespace: context.namespace }),
  };
}

/** Ignoring any of these would authenticate as someone else. */
const UNSUPPORTED = ['username', 'auth-provider', 'as', 'as-uid', 'as-groups', 'as-user-extra'] as const;

function kubeconfigPaths(path: string | undefined, env: NodeJS.ProcessEnv): string[] {
  if (path !== undefined) return [path];
  const listed = (env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  if (listed.length === 0) return [join(env.HOME ?? homedir(), '.kube', 'config')];
  // As with kubectl, some of several files may be missing.
  const present = listed.filter((file) => existsSync(file));
  return present.length > 0 ? present : listed;
}

function tlsOf(cluster: ClusterSettings, invalid: (message: string) => PodgraftError): TlsSettings {
  const data = cluster['certificate-authority-data'];
  const file = cluster['certificate-authority'];
  let ca = data ? fromBase64(data) : undefined;
  try {
    if (!data && file) ca = readFileSync(file, 'utf8');
  } catch {
    throw invalid(`cannot read the certificate-authority "${file}"`);
  }
  return {
    ...(ca !== undefined && { ca }),
    ...(cluster['tls-server-name'] && { serverName: cluster['tls-server-name'] }),
    ...(cluster['insecure-skip-tls-verify'] && { insecure: true }),
  };
}

function credentialsOf(
  user: UserSettings,
  cluster: ClusterSettings,
  env: NodeJS.ProcessEnv,
  now: () => number,
): Credentials {
  type Text = string | null | undefined;
  const inFile = (file: Text): Source | undefined => (file ? { file } : undefined);
  const asData = (data: Text): Source | undefined => (data ? { value: fromBase64(data) } : undefined);
  const token = inFile(user.tokenFile) ?? (user.token ? { value: user.token } : undefined);
  const cert = asData(user['client-certificate-data']) ?? inFile(user['client-certificate']);
  const key = asData(user['client-key-data']) ?? inFile(user['client-key']);
  // As in client-go, a token takes precedence over a plugin.
  if (user.exec !== undefined && token === undefined)
    return execCredentials(user.exec, { env, now, cluster });
  return fileCredentials({ token, cert, key }, now);
}

function fromBase64(data: string): string {
  return Buffer.from(data, 'base64').toString();
}
