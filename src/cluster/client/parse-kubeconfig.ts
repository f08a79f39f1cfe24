import { dirname, resolve as resolvePath } from 'node:path';
import * as v from 'valibot';
import { parseDocument } from 'yaml';
import { PodgraftError } from '../../podgraft-error.ts';

const text = v.nullish(v.string());

const clusterSchema = v.object({
  server: v.string(),
  'certificate-authority': text,
  'certificate-authority-data': text,
  'insecure-skip-tls-verify': v.nullish(v.boolean()),
  'tls-server-name': text,
  'proxy-url': text,
});

const execSchema = v.object({
  apiVersion: v.picklist(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']),
  command: v.string(),
  args: v.nullish(v.array(v.string())),
  env: v.nullish(v.array(v.object({ name: v.string(), value: v.string() }))),
  installHint: text,
  provideClusterInfo: v.nullish(v.boolean()),
});

const userSchema = v.object({
  token: text,
  tokenFile: text,
  'client-certificate': text,
  'client-certificate-data': text,
  'client-key': text,
  'client-key-data': text,
  exec: v.optional(execSchema),
  username: v.optional(v.unknown()),
  'auth-provider': v.optional(v.unknown()),
  as: v.optional(v.unknown()),
  'as-uid': v.optional(v.unknown()),
  'as-groups': v.optional(v.unknown()),
  'as-user-extra': v.optional(v.unknown()),
});

const contextSchema = v.object({ cluster: v.string(), user: text, namespace: text });

const kubeconfigSchema = v.object({
  'current-context': text,
  clusters: v.nullish(v.array(v.object({ name: v.string(), cluster: clusterSchema }))),
  users: v.nullish(v.array(v.object({ name: v.string(), user: userSchema }))),
  contexts: v.nullish(v.array(v.object({ name: v.string(), context: contextSchema }))),
});

export type ClusterSettings = v.InferOutput<typeof clusterSchema>;
export type ExecSettings = v.InferOutput<typeof execSchema>;
export type UserSettings = v.InferOutput<typeof userSchema>;
export type ContextSettings = v.InferOutput<typeof contextSchema>;

export interface FileEntry<T> {
  readonly name: string;
  readonly settings: T;
  /** Paths in a kubeconfig are relative to its own folder. */
  resolve(path: string): string;
}

export interface Kubeconfig {
  readonly currentContext: string | undefined;
  readonly clusters: readonly FileEntry<ClusterSettings>[];
  readonly users: readonly FileEntry<UserSettings>[];
  readonly contexts: readonly FileEntry<ContextSettings>[];
}

/** Errors name the place and what belongs there, never what was found: it may be a token. */
export function parseKubeconfig(content: string, path: string): Kubeconfig {
  const invalid = (message: string) =>
    new PodgraftError('KUBECONFIG_INVALID', `Cannot read kubeconfig "${path}": ${message}`);
  const document = parseDocument(content);
  const [error] = document.errors;
  if (error !== undefined)
    throw invalid(`line ${error.linePos?.[0].line ?? 1}: no valid YAML (${error.code})`);
  const result = v.safeParse(kubeconfigSchema, document.toJS() ?? {});
  if (!result.success) throw invalid(result.issues.map(describe).join('; '));

  const { output } = result;
  const resolve = (file: string) => resolvePath(dirname(path), file);
  return {
    currentContext: output['current-context'] || undefined,
    clusters: (output.clusters ?? []).map(({ name, cluster }) => ({ name, settings: cluster, resolve })),
    users: (output.users ?? []).map(({ name, user }) => ({ name, settings: user, resolve })),
    contexts: (output.contexts ?? []).map(({ name, context }) => ({ name, settings: context, resolve })),
  };
}

function describe(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'the file'}: expected ${issue.expected ?? 'something else'}`;
}
