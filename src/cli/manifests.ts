import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { parse } from 'yaml';
import { readCertificate } from '../certificates/read-certificate.ts';
import { loadConfig } from '../config/load-config.ts';
import type { RawConfig } from '../config/schema.ts';
import { chartValues } from '../manifests/chart-values.ts';
import { manifests as manifestsFor } from '../manifests/manifests.ts';
import { renderJson, renderYaml } from '../manifests/render.ts';
import type { ConfigFiles, ManifestSettings, ModuleFile, Tls } from '../manifests/settings.ts';
import { fileSources } from '../pipeline/files.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { version } from './version.ts';

export interface ManifestsOptions {
  readonly config: string;
  readonly name: string;
  readonly namespace: string;
  readonly image?: string;
  readonly replicas: number;
  readonly failClosed?: true;
  readonly timeoutSeconds: number;
  readonly validate?: true;
  readonly onlyNamespaces?: readonly string[];
  readonly tls: 'self-managed' | 'cert-manager' | 'secret';
  readonly certManager?: true;
  readonly secret?: string;
  readonly url?: string;
  readonly caBundle?: string;
  readonly crds?: true;
  readonly chartValues?: true;
  readonly output: 'yaml' | 'json';
}

/** Prints everything for a cluster, as the configuration wants it. */
export async function manifests(options: ManifestsOptions): Promise<void> {
  const { pipeline } = await loadConfig(options.config);
  const files = await readFiles(options.config);
  if (options.chartValues) return print(chartValues(pipeline, files));

  const settings: ManifestSettings = {
    pipeline,
    files,
    name: options.name,
    namespace: options.namespace,
    version: version(),
    image: options.image ?? `podgraft:${version()}`,
    replicas: options.replicas,
    webhook: {
      failurePolicy: options.failClosed ? 'Fail' : 'Ignore',
      timeoutSeconds: options.timeoutSeconds,
      validate: options.validate ?? false,
      onlyNamespaces: options.onlyNamespaces,
    },
    tls: await tlsOf(options),
    crds: options.crds ?? false,
  };
  for (const warning of warningsFor(settings)) process.stderr.write(`warning: ${warning}\n`);
  print((options.output === 'json' ? renderJson : renderYaml)(manifestsFor(settings)));
}

async function tlsOf(options: ManifestsOptions): Promise<Tls> {
  const { name, secret = `${name}-tls`, url } = options;
  const mode = options.certManager ? 'cert-manager' : options.tls;
  const caBundle = options.caBundle === undefined ? undefined : await readBundle(options.caBundle);
  if (url !== undefined) return { mode: 'url', url, caBundle };
  if (mode !== 'secret') {
    if (caBundle !== undefined)
      throw usage('--ca-bundle is for --url and --tls secret: else it is written for you');
    return { mode, secret };
  }
  if (caBundle === undefined)
    throw usage('--tls secret needs --ca-bundle: the CA of the certificate in the Secret');
  return { mode, secret, caBundle };
}

/** Checked: the API server would accept any bytes and then trust nobody. */
async function readBundle(file: string): Promise<string> {
  const text = await read(file);
  readCertificate(text);
  return Buffer.from(text).toString('base64');
}

/** The configuration as it stands, and the modules that it names beside itself. */
async function readFiles(file: string): Promise<ConfigFiles> {
  const config = await read(file);
  // It has been loaded before, so that it is known to be one.
  const { injectors } = parse(config) as RawConfig;
  const paths = new Set(injectors.flatMap(({ use }) => modulePath(use, file) ?? []));
  const modules = await Promise.all([...paths].map((path) => readModule(dirname(file), path)));
  return { config, modules };
}

/** Undefined for built-in types, and for absolute paths: these are in the image. */
function modulePath(use: string, file: string): string | undefined {
  if (isAbsolute(use) || !(/^\.{1,2}\//.test(use) || /\.[cm]?[jt]s$/.test(use))) return undefined;
  const path = normalize(use);
  if (!path.startsWith('..')) return path;
  throw invalid(`Cannot put module "${use}" into the ConfigMap: it is not in the folder of "${file}"`);
}

async function readModule(folder: string, path: string): Promise<ModuleFile> {
  const text = await read(join(folder, path));
  const [, neighbour] = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/.exec(text) ?? [];
  if (neighbour === undefined) return { path, text };
  throw invalid(
    `Cannot put module "${path}" into the ConfigMap: it imports "${neighbour}": bundle it into one file first`,
  );
}

function* warningsFor({ pipeline, webhook, namespace, tls }: ManifestSettings): Generator<string> {
  if (tls.mode !== 'url') {
    for (const path of new Set(fileSources(pipeline).map((source) => source.path))) {
      yield `the configuration reads "${path}": mount it into the Deployment`;
    }
  }
  for (const name of webhook.onlyNamespaces ?? []) {
    if (pipeline.excludedNamespaces.has(name) || (tls.mode !== 'url' && name === namespace)) {
      yield `namespace "${name}" is excluded, in spite of --only-namespaces`;
    }
  }
  for (const name of ['kube-system', 'kube-node-lease']) {
    if (!pipeline.excludedNamespaces.has(name) && webhook.onlyNamespaces === undefined) {
      yield `the configuration does not exclude namespace "${name}": the cluster's own Pods will depend on podgraft`;
    }
  }
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new PodgraftError('INPUT_INVALID', `Cannot read "${file}": ${(cause as Error).message}`, { cause });
  }
}

function print(text: string): void {
  process.stdout.write(text);
}

function usage(message: string): PodgraftError {
  return new PodgraftError('USAGE', message);
}

function invalid(message: string): PodgraftError {
  return new PodgraftError('CONFIG_INVALID', message);
}
