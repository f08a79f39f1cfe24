import { readFileSync } from 'node:fs';
import { closest } from '../closest.ts';
import { createClient } from '../cluster/client/client.ts';
import { findConnection } from '../cluster/client/find-connection.ts';
import { createServiceProxy, type ServiceProxy } from '../cluster/client/service-proxy.ts';
import { parseManifests, readManifests } from '../files/read-manifests.ts';
import type { JsonObject } from '../json/json.ts';
import { asJson, type KubeObject } from '../kube/kube-object.ts';
import { builtin } from '../kube/resource.ts';
import { PodgraftError } from '../podgraft-error.ts';
import { checks } from '../verify/checks/catalog.ts';
import { corpus, type Sample } from '../verify/corpus.ts';
import { directServer } from '../verify/direct-server.ts';
import { renderHtml } from '../verify/output/html.ts';
import { renderJson } from '../verify/output/json.ts';
import { renderJunit } from '../verify/output/junit.ts';
import { renderTable } from '../verify/output/table.ts';
import { type Progress, runVerify, type VerifyReport } from '../verify/run-verify.ts';
import { type Subject, subjectsOf } from '../verify/subject.ts';
import { proxiedServer } from './proxied-server.ts';

export interface VerifyOptions {
  readonly filename?: readonly string[];
  /** False by `--no-corpus`. */
  readonly corpus: boolean;
  readonly url: readonly string[];
  readonly insecure?: true;
  readonly cluster: readonly string[];
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly check: readonly string[];
  readonly seed: number;
  readonly output: 'table' | 'json' | 'junit' | 'html';
}

/** Drives webhooks through the admission phase with a corpus of objects, and reports misbehaviour. */
export async function verify(paths: readonly string[], options: VerifyOptions): Promise<void> {
  const isLive = options.context !== undefined || options.kubeconfig !== undefined;
  if (paths.length === 0 && !isLive) {
    throw new PodgraftError(
      'USAGE',
      'Nothing to verify: pass files with webhook configurations, or --context',
    );
  }
  const connection = isLive
    ? findConnection({
        ...(options.kubeconfig && { path: options.kubeconfig }),
        ...(options.context && { context: options.context }),
      })
    : undefined;
  const proxy = connection && createServiceProxy(connection);
  try {
    const given = readFiles(paths);
    const live = connection && paths.length === 0 ? await readConfigurations(connection) : [];
    const configurations = [...given, ...live].filter(isAdmission);
    const subjects = await findSubjects(configurations, options, proxy);
    const report = await runVerify({
      subjects,
      samples: samplesOf(options),
      policies: configurations.filter(({ kind }) => String(kind).includes('Policy')),
      objects: [
        ...given.filter((object) => !isAdmission(object)),
        ...readManifests(options.cluster).map(asJson),
      ],
      seed: options.seed,
      checks: chosenChecks(options.check, proxy !== undefined),
      isLive: proxy !== undefined,
      ...(process.stderr.isTTY && { progress: terminalProgress(process.stderr) }),
    });
    process.stdout.write(render(report, options.output));
    if (report.results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1;
    if (report.results.every(({ outcome }) => outcome === 'skipped')) process.exitCode = 1;
  } finally {
    proxy?.close();
  }
}

function readFiles(paths: readonly string[]): JsonObject[] {
  const objects = paths.flatMap((path): KubeObject[] =>
    path === '-' ? parseManifests(readFileSync(0, 'utf8'), 'standard input') : readManifests([path]),
  );
  return objects.map(asJson);
}

function isAdmission({ apiVersion }: JsonObject): boolean {
  return String(apiVersion).startsWith('admissionregistration.k8s.io/');
}

async function readConfigurations(connection: ReturnType<typeof findConnection>): Promise<JsonObject[]> {
  const client = createClient(connection);
  try {
    const kinds = ['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration'] as const;
    const pages = await Promise.all(kinds.map((kind) => client.list(builtin(kind))));
    return pages.flatMap(({ items }) => items.map(asJson));
  } finally {
    client.close();
  }
}

async function findSubjects(
  configurations: readonly JsonObject[],
  { url, insecure }: VerifyOptions,
  proxy: ServiceProxy | undefined,
): Promise<readonly Subject[]> {
  const urls = new Map(url.map(parseUrl));
  const used = new Set<string>();
  const subjects = subjectsOf(configurations, (webhook) => {
    const name = [webhook.name, webhook.configuration].find((each) => urls.has(each));
    if (name !== undefined) used.add(name);
    const isService = webhook.clientConfig.url === undefined;
    if (name === undefined && isService && proxy !== undefined) return proxiedServer(webhook, proxy);
    if (name === undefined && isService) {
      const where = `pass --url ${webhook.name}=https://…, for example of a port-forward`;
      throw new PodgraftError('USAGE', `Cannot reach the Service of webhook "${webhook.name}": ${where}`);
    }
    const own = name === undefined ? undefined : urls.get(name);
    return directServer(webhook, { ...(own && { url: own }), ...(insecure && { insecure }) });
  });
  if (subjects.length === 0) throw new PodgraftError('INPUT_INVALID', 'Nothing to verify: no webhook found');
  const names = subjects.flatMap(({ webhook }) => [webhook.name, webhook.configuration]);
  for (const name of urls.keys()) {
    if (used.has(name)) continue;
    const guess = closest(name, names);
    const hint = guess === undefined ? '' : `: did you mean "${guess}"?`;
    throw new PodgraftError(
      'USAGE',
      `--url names "${name}", which is neither a webhook nor a configuration${hint}`,
    );
  }
  return subjects;
}

function parseUrl(text: string): [string, string] {
  const [, name, url] = /^([^=]+)=(https:\/\/.+)$/.exec(text) ?? [];
  if (name === undefined || url === undefined || !URL.canParse(url)) {
    throw new PodgraftError('USAGE', `Cannot read --url "${text}": expected NAME=https://HOST:PORT/PATH`);
  }
  return [name, url];
}

function samplesOf({ filename = [], corpus: hasCorpus }: VerifyOptions): readonly Sample[] {
  const own = filename.flatMap((path) =>
    readFiles([path]).map((object) => ({ title: titleOf(object), object })),
  );
  const samples = [...own, ...(hasCorpus ? corpus() : [])];
  if (samples.length === 0) throw new PodgraftError('USAGE', '--no-corpus needs your own objects: pass -f');
  return samples;
}

function titleOf({ kind, metadata }: JsonObject): string {
  const { name, generateName } = (metadata ?? {}) as JsonObject;
  return `${String(kind)} "${String(name ?? generateName ?? '')}"`;
}

/** The servers of a cluster are live: checks that may crash them run only on request. */
function chosenChecks(ids: readonly string[], isLive: boolean) {
  const known = checks.map(({ id }) => id);
  for (const id of ids) {
    if (known.includes(id)) continue;
    const guess = closest(id, known);
    const hint = guess === undefined ? `one of ${known.join(', ')}` : `did you mean "${guess}"?`;
    throw new PodgraftError('USAGE', `Unknown check "${id}": ${hint}`);
  }
  if (ids.length > 0) return checks.filter(({ id }) => ids.includes(id));
  return isLive ? checks.filter(({ id }) => id !== 'bad-reviews') : checks;
}

function render(report: VerifyReport, output: VerifyOptions['output']): string {
  switch (output) {
    case 'table':
      return renderTable(report, process.stdout.isTTY);
    case 'json':
      return renderJson(report);
    case 'junit':
      return renderJunit(report);
    case 'html':
      return renderHtml(report);
  }
}

/** One line that is rewritten for every step and erased at the end. */
function terminalProgress(stream: NodeJS.WriteStream): (progress: Progress) => void {
  const clear = '\r\u001b[K';
  process.once('exit', () => stream.write(clear));
  return ({ done, total, check, subject }) => {
    const text = `${done + 1}/${total}  ${check}  ${subject}`;
    stream.write(clear + text.slice(0, (stream.columns ?? 80) - 1));
  };
}
