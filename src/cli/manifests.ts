import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { parse } from 'yaml';
import { readCertificate } from '../certificates/read-certificate.ts';
import { filesView } from '../cluster/views/files-view.ts';
import { loadConfig } from '../config/load-config.ts';
import { isModulePath } from '../config/load-module.ts';
import type { RawConfig } from '../config/schema.ts';
import { readManifests } from '../files/read-manifests.ts';
import { KUBERNETES_SCHEMA, toYaml } from '../kubernetes-yaml.ts';
import { type ConfigFiles, chartValues, renderChartValues } from '../manifests/chart-values.ts';
import {
  customResourceDefinitions,
  type ManifestSettings,
  manifests,
  type Tls,
} from '../manifests/manifests.ts';
import type { PolicySettings } from '../manifests/policies/policies.ts';
import { fileSources, type Pipeline } from '../pipeline/pipeline.ts';
import { PodgraftError } from '../podgraft-error.ts';

export interface ManifestsOptions extends Omit<ManifestSettings, 'tls'> {
  readonly config: string;
  readonly cluster: readonly string[];
  readonly tls: 'self-managed' | 'cert-manager' | 'secret';
  readonly certManager?: true;
  readonly secret?: string;
  readonly url?: string;
  readonly caBundle?: string;
  readonly crds?: true;
  readonly policies?: true;
  readonly chartValues?: true;
  readonly output: 'yaml' | 'json';
}

/** Prints the whole installation, derived from the configuration. */
export async function printManifests(options: ManifestsOptions): Promise<void> {
  const { pipeline: whole, warnings, validate } = await loadConfig(options.config);
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  // Without files, objects of the cluster may be for any kind.
  const cluster = options.cluster.length === 0 ? undefined : filesView(readManifests(options.cluster));
  // Only here, since it loads the CEL engine.
  const generated = options.policies
    ? (await import('../manifests/policies/policies.ts')).policiesOf(whole, policySettings(options, validate))
    : undefined;
  const pipeline = generated?.rest ?? whole;
  const values = chartValues(pipeline, await readConfigFiles(options.config), cluster);
  if (options.chartValues) {
    process.stdout.write(renderChartValues(values));
    return;
  }
  for (const { injector, reason } of generated?.reasons ?? []) {
    process.stderr.write(`note: injector "${injector}" needs the webhook: ${reason}\n`);
  }
  const policies = (generated?.objects ?? []).map((object) => toYaml(object).trimEnd());
  if (pipeline.stages.length === 0 && whole.stages.length > 0) {
    process.stdout.write(renderers[options.output](policies));
    return;
  }
  const settings = { ...options, tls: await readTls(options) };
  for (const warning of warningsFor(settings, pipeline)) process.stderr.write(`warning: ${warning}\n`);
  const documents = [
    ...(options.crds ? customResourceDefinitions(pipeline) : []),
    ...manifests(settings, values),
    ...policies,
  ];
  process.stdout.write(renderers[options.output](documents));
}

/** Without `--validate` the final state is only warned about, as objects may change on purpose after the policies. */
function policySettings(
  { name, onlyNamespaces, validate: isChecked = false }: ManifestsOptions,
  validate: 'deny' | 'warn',
): PolicySettings {
  const action = isChecked && validate === 'deny' ? 'Deny' : 'Warn';
  return { name, action, ...(onlyNamespaces && { onlyNamespaces }) };
}

const renderers = {
  yaml: (documents: readonly string[]) => documents.map((text) => `---\n${text}\n`).join(''),
  json: (documents: readonly string[]) => {
    const items = documents.map((text) => parse(text) as unknown);
    return `${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, null, 2)}\n`;
  },
};

async function readTls(options: ManifestsOptions): Promise<Tls> {
  const { name, secret = `${name}-tls`, url } = options;
  const mode = options.certManager ? 'cert-manager' : options.tls;
  const caBundle = options.caBundle === undefined ? undefined : await readBundle(options.caBundle);
  if (url !== undefined) return { mode: 'url', url, caBundle };
  if (mode === 'secret') {
    if (caBundle !== undefined) return { mode, secret, caBundle };
    throw new PodgraftError(
      'USAGE',
      '--tls secret needs --ca-bundle, the CA of the certificate in the Secret',
    );
  }
  if (caBundle === undefined) return { mode, secret };
  throw new PodgraftError(
    'USAGE',
    '--ca-bundle needs --url or --tls secret; otherwise it is set automatically',
  );
}

/** Validated here: the API server accepts any bytes, and then every call fails. */
async function readBundle(file: string): Promise<string> {
  const text = await readText(file);
  readCertificate(text);
  return Buffer.from(text).toString('base64');
}

/** The configuration and the modules it refers to. `loadConfig` has validated both. */
async function readConfigFiles(file: string): Promise<ConfigFiles> {
  const config = await readText(file);
  const { injectors } = parse(config, { schema: KUBERNETES_SCHEMA }) as RawConfig;
  // Absolute paths refer to modules inside the image.
  const uses = injectors.map(({ use }) => use).filter((use) => isModulePath(use) && !isAbsolute(use));
  const paths = new Set(uses.map(normalize));
  const modules = await Promise.all([...paths].map((path) => readModule(path, file)));
  return { config, modules };
}

async function readModule(path: string, configFile: string): Promise<ConfigFiles['modules'][number]> {
  const refuse = (reason: string) =>
    new PodgraftError('CONFIG_INVALID', `Cannot put module "${path}" into the ConfigMap: ${reason}`);
  if (path.startsWith('..')) throw refuse(`it is outside the folder of "${configFile}"`);
  const text = await readText(join(dirname(configFile), path));
  const [, neighbour] = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/.exec(text) ?? [];
  if (neighbour !== undefined) throw refuse(`it imports "${neighbour}": bundle it into one file first`);
  return { path, text };
}

function* warningsFor({ onlyNamespaces, namespace, tls }: ManifestSettings, pipeline: Pipeline) {
  const { excludedNamespaces } = pipeline;
  const isInside = tls.mode !== 'url';
  for (const path of new Set(fileSources(pipeline).map((source) => source.path))) {
    if (isInside) yield `the configuration reads "${path}": mount it into the Deployment`;
  }
  for (const name of onlyNamespaces ?? []) {
    if (excludedNamespaces.has(name) || (isInside && name === namespace))
      yield `namespace "${name}" is excluded despite --only-namespaces`;
  }
  for (const name of ['kube-system', 'kube-node-lease']) {
    if (!excludedNamespaces.has(name) && onlyNamespaces === undefined)
      yield `the configuration does not exclude namespace "${name}": the cluster's own Pods will depend on podgraft`;
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new PodgraftError('INPUT_INVALID', `Cannot read "${file}": ${(cause as Error).message}`, { cause });
  }
}
