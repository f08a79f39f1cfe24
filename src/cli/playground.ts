import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { loadBuiltin } from '../injectors/catalog.ts';
import { createRequestLog, requestItem } from '../page/request-log.ts';
import type { PageState, RunAnswer, RunRequest } from '../page/view.ts';
import type { Run } from '../playground/create-runner.ts';
import { GENERAL, samplesOf } from '../playground/samples.ts';
import {
  type PlaygroundOptions as PageOptions,
  type Playground,
  startPlayground,
} from '../playground/start-playground.ts';
import { openWorkspace } from '../playground/workspace.ts';
import { version } from '../version.ts';
import type { PlaygroundCluster } from './playground-cluster.ts';

export interface PlaygroundOptions {
  /** Default: the quickstart. */
  readonly config?: string;
  readonly cluster: readonly string[];
  readonly webhook: readonly string[];
  readonly verified: readonly string[];
  /** Default: 8080, or a free one if that is in use. */
  readonly port?: number;
  /** Folder with the binaries of a control plane, or `auto`. */
  readonly controlPlane?: string;
  readonly open?: true;
}

/** Part of the package, so that a first look needs no files. */
const QUICKSTART = fileURLToPath(new URL('../../examples/quickstart/podgraft.yaml', import.meta.url));

/** Serves the page until SIGTERM or SIGINT. */
export async function playground(options: PlaygroundOptions): Promise<void> {
  const { config = QUICKSTART, cluster, webhook, verified, port, controlPlane, open = false } = options;
  const ended = stopSignal();
  let page: Playground | undefined;
  let live: PlaygroundCluster | undefined;
  const workspace = await openWorkspace({ config, cluster, webhook, verified }, (snapshot) => {
    page?.changed();
    void live?.use(snapshot);
  });
  const general = (await Promise.all(GENERAL.map(loadBuiltin))).filter((found) => found !== undefined);
  const requests = createRequestLog({ requests: 500, bytes: 64 * 1024 * 1024 });
  page = await startPage(port, { state, requests, run });
  process.stdout.write(`The playground is at ${page.url}\n`);
  if (open) openBrowser(page.url);
  // The page does not wait for the model of the API server; the first run may.
  let runner: Promise<Run> | undefined;
  const prepare = () => {
    runner ??= loadRunner();
    return runner;
  };
  // Loading blocks the event loop, so serve the browser first.
  setTimeout(prepare, PREPARE_MS).unref();
  if (controlPlane !== undefined) {
    const { startPlaygroundCluster } = await import('./playground-cluster.ts');
    const starting = startPlaygroundCluster(controlPlane, workspace.current(), requests, warn);
    // Everything started so far ends with this process.
    void ended.then(() => live === undefined && process.exit());
    live = await starting;
    process.stdout.write(`export KUBECONFIG=${live.kubeconfig}\n`);
    page.changed();
  }
  await ended;
  page.stop();
  await live?.stop();
  workspace.stop();

  function state(): PageState {
    const { pipeline } = workspace.current().config;
    const error = workspace.error();
    const injectors = pipeline.stages.map(({ name, injector }) => ({
      name,
      use: injector.name,
      summary: injector.summary,
    }));
    return {
      mode: 'playground',
      version: version(),
      configuration: { file: config, injectors, ...(error !== undefined && { error }) },
      samples: samplesOf([...general, ...pipeline.stages.map(({ injector }) => injector)]),
      ...(live && { kubeconfig: `export KUBECONFIG=${live.kubeconfig}` }),
    };
  }

  async function run(request: RunRequest): Promise<RunAnswer> {
    const answer = await (await prepare())(request, workspace.current());
    // With a control plane, the list shows kubectl's requests.
    for (const view of 'runs' in answer && controlPlane === undefined ? answer.runs : []) {
      requests.add({ item: requestItem(view), bytes: 2 * JSON.stringify(view).length, view: () => view });
    }
    return answer;
  }
}

/** Opens an address in the desktop's browser. Does nothing without one: the address has been printed. */
function openBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  if (command === undefined) return;
  const child = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
  child.on('error', () => {});
  child.unref();
}

const OPENERS: { readonly [platform: string]: readonly string[] } = {
  darwin: ['open'],
  // `start` treats its first quoted argument as a window title.
  win32: ['cmd', '/c', 'start', ''],
};

function warn(text: string): void {
  process.stderr.write(`warning: ${text}\n`);
}

function stopSignal(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
  });
}

async function startPage(port: number | undefined, source: Omit<PageOptions, 'port'>): Promise<Playground> {
  try {
    return await startPlayground({ ...source, port: port ?? 8080 });
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken || port !== undefined) throw error;
    return startPlayground({ ...source, port: 0 });
  }
}

/** Time to load the page before the model is loaded for its first run. */
const PREPARE_MS = 300;

/** How long an injector may wait for another service. */
const CALL_MS = 5_000;

async function loadRunner(): Promise<Run> {
  const { createRunner } = await import('../playground/create-runner.ts');
  const { createCaller } = await import('../server/make-calls.ts');
  const makeCalls = createCaller();
  return createRunner((calls) => makeCalls(calls, CALL_MS));
}
