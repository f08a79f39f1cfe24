import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import * as v from 'valibot';
import { parseDocument } from 'yaml';
import { PodgraftError } from '../../podgraft-error.ts';

export type Kubeconfig = v.InferOutput<ReturnType<typeof kubeconfigSchema>>;
export type ClusterSettings = NonNullable<Kubeconfig['clusters']>[number]['cluster'];
export type UserSettings = Partial<NonNullable<Kubeconfig['users']>[number]['user']>;
export type ExecSettings = NonNullable<UserSettings['exec']>;

/** Paths in the result are absolute. Errors name the place and the expected type but never the value, which may be a token. */
export function readKubeconfig(path: string): Kubeconfig {
  const invalid = (message: string) =>
    new PodgraftError('KUBECONFIG_INVALID', `Cannot read kubeconfig "${path}": ${message}`);
  const document = parseDocument(readText(path));
  const [error] = document.errors;
  if (error !== undefined)
    throw invalid(`line ${error.linePos?.[0].line ?? 1}: invalid YAML (${error.code})`);
  const result = v.safeParse(kubeconfigSchema(dirname(path)), document.toJS() ?? {});
  if (!result.success) throw invalid(result.issues.map(describe).join('; '));
  return result.output;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code === 'ENOENT' ? 'no such file' : message;
    throw new PodgraftError('CLUSTER_NOT_FOUND', `Cannot read kubeconfig "${path}": ${why}`, { cause });
  }
}

/** Paths in a kubeconfig are relative to its folder. */
function kubeconfigSchema(folder: string) {
  const text = v.nullish(v.string());
  const path = v.nullish(
    v.pipe(
      v.string(),
      v.transform((file) => file && resolve(folder, file)),
    ),
  );
  const exec = v.object({
    apiVersion: v.picklist(['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']),
    // As in client-go, a bare name is looked up in PATH.
    command: v.pipe(
      v.string(),
      v.transform((command) => (command === basename(command) ? command : resolve(folder, command))),
    ),
    args: v.nullish(v.array(v.string())),
    env: v.nullish(v.array(v.object({ name: v.string(), value: v.string() }))),
    installHint: text,
    provideClusterInfo: v.nullish(v.boolean()),
  });
  const cluster = v.object({
    server: v.string(),
    'certificate-authority': path,
    'certificate-authority-data': text,
    'insecure-skip-tls-verify': v.nullish(v.boolean()),
    'tls-server-name': text,
    'proxy-url': text,
  });
  // Loose, so that unsupported settings can be rejected.
  const user = v.looseObject({
    token: text,
    tokenFile: path,
    'client-certificate': path,
    'client-certificate-data': text,
    'client-key': path,
    'client-key-data': text,
    exec: v.optional(exec),
  });
  const context = v.object({ cluster: v.string(), user: text, namespace: text });
  return v.object({
    'current-context': text,
    clusters: v.nullish(v.array(v.object({ name: v.string(), cluster }))),
    users: v.nullish(v.array(v.object({ name: v.string(), user }))),
    contexts: v.nullish(v.array(v.object({ name: v.string(), context }))),
  });
}

function describe(issue: v.BaseIssue<unknown>): string {
  return `${v.getDotPath(issue) ?? 'the file'}: expected ${issue.expected ?? 'something else'}`;
}
